import './styles/app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <main className="p-4">Lapwing</main>
  </StrictMode>,
)
