import { Copy, Download } from 'lucide-react'
import { saveTextFile } from '#shared/files/save-text-file.ts'
import { Button } from '#shared/ui/Button.tsx'
import type { Account } from './account.ts'
import { copyText } from './copy-text.ts'

interface RecoveryCodesProps {
  readonly account: Account
  readonly codes: readonly string[]
  readonly onDone: () => void
}

/** Shows the unused recovery codes, to copy and to save. */
export function RecoveryCodes({ account, codes, onDone }: RecoveryCodesProps) {
  const text = codes.join('\n')
  return (
    <div className="space-y-2.5">
      <p>
        Save these recovery codes where you find them without your phone. Each signs you in once instead of a
        code of the app.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-[repeat(auto-fill,minmax(140px,1fr))] gap-x-4 gap-y-1 rounded-control border border-line bg-raised p-3 font-mono text-sm"
      >
        {codes.map(code => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => copyText(account.notify, text, 'Recovery codes copied', ' Please select the codes.')}
        >
          <Copy size={14} aria-hidden />
          Copy
        </Button>
        <Button
          onClick={() => saveTextFile('lapwing-recovery-codes.txt', `Lapwing recovery codes\n\n${text}\n`)}
        >
          <Download size={14} aria-hidden />
          Download
        </Button>
        <Button variant="primary" onClick={onDone}>
          I have saved them
        </Button>
      </div>
    </div>
  )
}
