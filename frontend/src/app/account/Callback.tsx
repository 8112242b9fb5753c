import { CallbackPage } from '#features/account/CallbackPage.tsx'
import { usePageDeps } from '../page-deps.ts'

export function Callback() {
  return <CallbackPage account={usePageDeps().account} />
}
