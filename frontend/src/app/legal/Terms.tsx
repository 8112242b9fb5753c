import { LegalPage } from './LegalPage.tsx'
import { MapTerms } from './MapNotices.tsx'

export function Terms() {
  return (
    <LegalPage title="Terms of Service" updated="2026-11-29">
      <p>
        Lapwing reads telemetry files that a racing simulator wrote on your computer and shows what is in
        them. These terms are a placeholder in plain words until the operator of this site puts its own in
        their place.
      </p>
      <section>
        <h2>What you may do</h2>
        <ul>
          <li>Read your own telemetry files here as often as you like, with or without an account.</li>
          <li>Use only files that you recorded yourself or were given for this purpose.</li>
          <li>Enter on the leaderboard only laps that you drove yourself, in the simulator, unchanged.</li>
        </ul>
      </section>
      <section>
        <h2>What you may not do</h2>
        <ul>
          <li>Alter files to make a lap look faster or cleaner than it was.</li>
          <li>Take names that insult others or pass for somebody else.</li>
          <li>Disturb the service or read what was not meant for you.</li>
        </ul>
      </section>
      <section>
        <h2>What we promise</h2>
        <p>
          Laps are timed and judged by fixed rules, the same for everyone, and each lap says why it counts or
          not. We take care, but mistakes happen: figures shown here come without warranty, and the
          simulator&apos;s own results stay the official ones.
        </p>
      </section>
      <MapTerms />
      <section>
        <h2>Changes</h2>
        <p>When these terms change, the date above changes with them.</p>
      </section>
    </LegalPage>
  )
}
