import { LegalPage } from './LegalPage.tsx'
import { MapPrivacy } from './MapNotices.tsx'

export function Privacy() {
  return (
    <LegalPage title="Privacy Policy" updated="2026-12-01">
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
          <li>
            We keep your email address, your username, your email preferences, and the phone numbers and
            wallet addresses that you add. A messaging provider gets a number to send a code to it. A wallet
            address is public: everybody can look up what it holds. Nobody here looks it up, and other drivers
            do not see it.
          </li>
          <li>
            A file you load while signed in is uploaded, so that your best lap can be checked and put on the
            leaderboard. Your username, the lap time and the driven lap can then be seen by others, and so can
            when, in which kind of session and in which weather it was driven.
          </li>
          <li>
            This holds for a file that you opened before you signed in, too: when you sign in with a file
            open, it is uploaded and its best lap is saved. Close the file first if you do not want that.
          </li>
          <li>
            A session that you open from your library, or a file over 100 MB, is not uploaded. Only if you
            press “Save the best lap” or “Save the session”, that lap or that file is.
          </li>
          <li>
            When you sign in, this site sets a cookie that lasts 400 days. It shows that you signed in with
            this browser before. With it, a stranger who tries wrong passwords cannot lock you out. Nobody can
            sign in with the cookie alone.
          </li>
          <li>
            We keep the networks you used as digests, not as addresses. They keep one network from filling the
            storage or from deciding alone where a track lies.
          </li>
          <li>
            Your driver number is bound to your account when your first lap is saved. You can undo that.
          </li>
          <li>
            If you report a lap or a name, we keep what you reported, and why. Only moderators see that. It is
            deleted with your account, and with the account of the driver.
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
          Your choice of theme, colours, units, traces and the size of the outline, and the tab of the sign-in
          dialog you used last. If you ask for a new password, your address, for an hour. Clearing this
          site&apos;s data in your browser removes all of it.
        </p>
        <p>
          The file you have open, too: your browser keeps a copy in its own store, so that the file is open
          again after a reload or after you signed in at Google or Discord. The copy never leaves your
          browser. It is forgotten when you close the file, when you sign out, and after 24 hours.
        </p>
        <p>
          If you open your telemetry folder as a library: where the folder is, and for each file its name,
          track, car, date, laps and a small outline. This never leaves your browser. “Forget all” in the
          library removes it.
        </p>
      </section>
      <MapPrivacy />
      <section>
        <h2>What we do not do</h2>
        <p>No advertising, no trackers, and no fonts or scripts from other sites.</p>
      </section>
    </LegalPage>
  )
}
