import { LegalPage } from './LegalPage.tsx'

export function Privacy() {
  return (
    <LegalPage title="Privacy Policy" updated="2026-11-28">
      <p>
        In short: your files are read here, in your browser, and nothing is sent unless you are signed in.
        This text is a placeholder in plain words until the operator of this site puts its own in its place.
      </p>
      <section>
        <h2>Without an account</h2>
        <p>
          A file you drop or choose is opened by this page on your own computer and stays there. There is one
          exception: where your browser cannot read files by itself, or the operator has set this site up so,
          the file is sent to this site&apos;s server, read, and forgotten at once. It is not stored.
        </p>
      </section>
      <section>
        <h2>With an account</h2>
        <ul>
          <li>We keep your email address, your username and your email preferences.</li>
          <li>
            A file you load while signed in is uploaded, so that your best lap can be checked and put on the
            leaderboard. Your username, the lap time and the driven lap can then be seen by others.
          </li>
          <li>
            The names of other drivers, and file paths that a telemetry file can hold, are neither kept nor
            shown.
          </li>
        </ul>
      </section>
      <section>
        <h2>What stays in your browser</h2>
        <p>
          Your choice of theme, colours and units, and the tab of the sign-in dialog you used last. While you
          sign in at Google or Discord, the file you have open, so that it is open again when you come back;
          it is forgotten then, or by the first visit after fifteen minutes. Clearing this site&apos;s data in
          your browser removes all of it.
        </p>
      </section>
      <section>
        <h2>What we do not do</h2>
        <p>No advertising, no trackers, and no fonts or scripts from other sites.</p>
      </section>
    </LegalPage>
  )
}
