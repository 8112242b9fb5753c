import { ResetPage } from '#features/account/ResetPage.tsx'
import { usePageDeps } from '../page-deps.ts'

export function Reset() {
  return <ResetPage account={usePageDeps().account} />
}
