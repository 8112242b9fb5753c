import type { IdentityUser, WalletType } from '@lapwing/identity-client/contract'
import { createUsers } from '@lapwing/identity-client/users'
import type { WalletApp } from '@lapwing/identity-client/wallet-browser'
import { Copy, Wallet } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import { AccountSection } from './AccountSection.tsx'
import { copyText } from './copy-text.ts'
import { LateNotice } from './LateNotice.tsx'
import { RemovableRow } from './RemovableRow.tsx'
import type { SectionProps } from './section-props.ts'
import { shortAddress } from './short-address.ts'
import { useBusyRun } from './use-busy-run.ts'

/** Few drivers have a wallet, so its code loads with the section. */
const loadWallets = async () => {
  const [browser, adding] = await Promise.all([
    import('@lapwing/identity-client/wallet-browser'),
    import('./add-wallet.ts'),
  ])
  return { ...browser, ...adding }
}

const CHAINS: Readonly<Record<string, string>> = { ethereum: 'Ethereum', solana: 'Solana' }

interface WalletSectionProps extends SectionProps {
  /** Kinds of wallets that this deployment accepts. */
  readonly offered: readonly WalletType[]
}

/** The crypto wallets of the account: adds and removes them. */
export function WalletSection({ account, user, run, offered }: WalletSectionProps) {
  const { isBusy, act } = useBusyRun(run)
  const wallets = user.crypto_wallets
  const isShown = offered.length > 0 || wallets.length > 0
  const { part, isFailed, isLoading, retry } = useLazyPart(loadWallets, isShown)
  const [apps, setApps] = useState<readonly WalletApp[]>([])
  /** Ends the request that a wallet shows now; null if none does. */
  const [asking, setAsking] = useState<AbortController | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => part?.watchWallets(offered, setApps), [part, offered])
  // A closed dialog must not add a wallet.
  useEffect(() => () => asking?.abort(), [asking])
  if (!isShown) return null
  const isProved = user.emails.every(({ verified }) => verified)

  const add = (app: WalletApp) =>
    act(async () => {
      const request = new AbortController()
      setAsking(request)
      setProblem(null)
      try {
        await part!.addWallet(account, user, app, request.signal)
      } catch (error) {
        if (!(error instanceof part!.WalletError)) throw error
        // Beside the button: the section is at the end of a long dialog.
        setProblem(error.message)
      } finally {
        setAsking(null)
      }
    })

  return (
    <AccountSection id="wallets" title="Wallets" icon={Wallet} isOn={wallets.length > 0}>
      <p className="text-muted">
        The signature of a crypto wallet opens your account in sign-ins that offer it. Signing costs nothing
        and moves nothing.
      </p>
      {wallets.length > 0 && (
        <ul className="divide-y divide-line rounded-control border border-line">
          {wallets.map(wallet => (
            <WalletRow
              key={wallet.crypto_wallet_id}
              wallet={wallet}
              isBusy={isBusy}
              onCopy={() => copyText(account.notify, wallet.crypto_wallet_address, 'Address copied')}
              onRemove={() =>
                act(async () => {
                  await createUsers(account.client).removeWallet(wallet.crypto_wallet_id)
                  account.notify.success('Wallet removed')
                })
              }
            />
          ))}
        </ul>
      )}
      {offered.length === 0 ? null : !isProved ? (
        <p className="text-xs text-muted">Confirm your email address before you add a wallet.</p>
      ) : part === null ? (
        <LateNotice
          problem="The wallets could not be loaded."
          isFailed={isFailed}
          isLoading={isLoading}
          onRetry={retry}
        />
      ) : apps.length === 0 ? (
        <p className="text-xs text-muted">
          No wallet was found in this browser. Install one, or open Lapwing in the browser of your wallet.
        </p>
      ) : (
        <div className="flex flex-wrap gap-2">
          {apps.map(app => (
            <Button key={app.id} isBlocked={isBusy} onClick={() => void add(app)}>
              Add {labelOf(app, apps)}
            </Button>
          ))}
        </div>
      )}
      {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
      {asking !== null && (
        <div className="flex flex-wrap items-center gap-2">
          <p role="status">Confirm in your wallet. It shows the text that you sign.</p>
          <Button onClick={() => asking.abort()}>Cancel</Button>
        </div>
      )}
    </AccountSection>
  )
}

/** Adds the chain if two wallets have the same name. */
function labelOf({ name, type }: WalletApp, apps: readonly WalletApp[]): string {
  return apps.filter(app => app.name === name).length > 1 ? `${name} (${CHAINS[type]})` : name
}

interface WalletRowProps {
  readonly wallet: IdentityUser['crypto_wallets'][number]
  readonly isBusy: boolean
  readonly onCopy: () => Promise<void>
  readonly onRemove: () => Promise<void>
}

function WalletRow({ wallet, onCopy, ...row }: WalletRowProps) {
  const { crypto_wallet_address: address, crypto_wallet_type: type } = wallet
  const shown = shortAddress(address)
  return (
    <RemovableRow
      {...row}
      name={shown}
      question={`Remove ${shown}? It signs you in no more.`}
      action="Remove wallet"
    >
      <span className="min-w-0 flex-1 truncate" title={address}>
        {shown} <span className="ml-1.5 text-muted">{CHAINS[type] ?? type}</span>
      </span>
      <Button variant="ghost" size="icon" aria-label={`Copy ${shown}`} onClick={() => void onCopy()}>
        <Copy size={14} aria-hidden />
      </Button>
    </RemovableRow>
  )
}
