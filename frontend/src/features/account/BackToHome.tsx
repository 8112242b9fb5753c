import { Link } from 'react-router'

/** Leads from a page of its own to the main screen. */
export function BackToHome() {
  return (
    <p className="mt-4 text-center">
      <Link
        to="/"
        className="inline-flex min-h-6 items-center rounded-sm font-medium text-accent hover:underline"
      >
        Back to home
      </Link>
    </p>
  )
}
