import { WALLETS, type Wallet } from '../config/products.ts'
import { useScreenState, useWidget } from '../ui/context.ts'
import { Button, Message, Screen, Spinner } from '../ui/parts.tsx'

/** Makers of wallets. Plain links, so that nothing of them is loaded. */
const MAKERS = { Metamask: 'https://metamask.io/download', Phantom: 'https://phantom.com/download' } as const

export function CryptoConnect() {
  const { texts } = useWidget()
  const { crypto } = useScreenState()
  return (
    <Screen title="crypto.connect.title" content="crypto.connect.content" values={{ wallet: crypto.wallet }}>
      <Spinner label={texts.text('status.busy')} />
    </Screen>
  )
}

export function CryptoSignMessage() {
  const { texts } = useWidget()
  const { crypto } = useScreenState()
  return (
    <Screen title="crypto.sign.title" content="crypto.sign.content" values={{ wallet: crypto.wallet }}>
      <Spinner label={texts.text('status.busy')} />
    </Screen>
  )
}

export function CryptoOtherScreen() {
  const { act, flows, texts } = useWidget()
  return (
    <Screen title="crypto.other.title">
      <div className="buttons">
        {WALLETS.map(wallet => (
          <Button key={wallet} onClick={() => act('wallet', () => flows.connectWallet(wallet))}>
            {texts.text('button.continueWith', { name: wallet })}
          </Button>
        ))}
      </div>
    </Screen>
  )
}

export function CryptoSetupWallet() {
  return (
    <Screen title="crypto.setup.title" content="crypto.setup.content">
      <ul className="links">
        {Object.entries(MAKERS).map(([name, href]) => (
          <li key={name}>
            <a href={href} target="_blank" rel="noopener noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Screen>
  )
}

export function CryptoError() {
  const { act, flows, texts } = useWidget()
  const { crypto } = useScreenState()
  const retry = () => act('wallet', () => flows.connectWallet(crypto.wallet as Wallet))
  return (
    <Screen title="crypto.error.title" content="crypto.error.content">
      <Message id="wallet-problem" at="wallet" />
      <Button look="primary" onClick={retry}>
        {texts.text('button.retry')}
      </Button>
    </Screen>
  )
}
