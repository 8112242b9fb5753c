import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Header } from '../header/Header.tsx'

interface LegalPageProps {
  readonly title: string
  /** Day of the last change, `YYYY-MM-DD`. */
  readonly updated: string
  readonly children: ReactNode
}

/** The address for questions; the operator replaces it with their own. */
const CONTACT = 'contact@lapwing.example'

/** Layout of the terms and the privacy policy. */
export function LegalPage({ title, updated, children }: LegalPageProps) {
  const date = new Date(`${updated}T00:00:00Z`)
  const words = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return (
    <div className="min-h-dvh">
      <title>{`${title} · Lapwing`}</title>
      <Header />
      <main className="mx-auto max-w-2xl px-4 py-10 text-sm">
        <Link
          to="/"
          className="inline-flex min-h-8 items-center gap-1.5 rounded-control font-medium text-accent hover:underline"
        >
          <ArrowLeft size={15} aria-hidden />
          Back to Home
        </Link>
        <h1 className="mt-4 text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="mt-1 text-muted">
          Last updated: <time dateTime={updated}>{words}</time>
        </p>
        <div className="mt-6 space-y-6 leading-relaxed [&_h2]:mb-1.5 [&_h2]:text-base [&_h2]:font-semibold [&_li]:mt-1 [&_ul]:mt-1 [&_ul]:list-disc [&_ul]:pl-5">
          {children}
          <section>
            <h2>Contact</h2>
            <p>
              Questions about this page go to{' '}
              <a href={`mailto:${CONTACT}`} className="rounded-sm text-accent underline underline-offset-2">
                {CONTACT}
              </a>
              .
            </p>
          </section>
        </div>
      </main>
    </div>
  )
}
