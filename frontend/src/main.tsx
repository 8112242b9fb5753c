import './styles/app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadRunTimeConfig } from '#shared/config/run-time-config.ts'
import { followLook } from '#shared/preferences/look.ts'
import { createPageDeps } from './app/create-page-deps.ts'
import { Providers } from './app/Providers.tsx'
import { Pages } from './app/router.tsx'

followLook(document.documentElement)
const deps = createPageDeps(timeoutMs => loadRunTimeConfig((input, init) => fetch(input, init), timeoutMs))

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Providers deps={deps}>
      <Pages />
    </Providers>
  </StrictMode>,
)
