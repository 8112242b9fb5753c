import { type Client, enter, post, variantOf } from './client.ts'
import type { BodyOf, WalletType } from './contract.ts'
import { projectOf } from './project.ts'

/** Creates the calls about wallets. `wallet-browser` finds those of the browser. */
export function createWallets(client: Client) {
  const { bootstrap } = projectOf(client)
  return {
    /** Returns the kinds of wallets that are offered here; none if that is unknown. */
    async types(): Promise<readonly WalletType[]> {
      // A hosted provider of the same protocol has no such member.
      return (await bootstrap())?.wallet_types ?? []
    },
    /** Returns the text whose signature signs in, or adds the wallet to the signed-in person. */
    async start({ siwe_params, ...body }: BodyOf<'startWallet'>) {
      const isSiwe =
        body.crypto_wallet_type === 'ethereum' && (await bootstrap())?.siwe_required_for_crypto_wallets
      return post<'startWallet'>(client, `/crypto_wallets/authenticate/start/${variantOf(client)}`, {
        ...body,
        ...(isSiwe && { siwe_params: { uri: client.pageOrigin, ...siwe_params } }),
      })
    },
    /** Sends the signature: hex of Ethereum, base58 of Solana. */
    authenticate: (body: BodyOf<'authenticateWallet'>) =>
      enter<'authenticateWallet'>(client, '/crypto_wallets/authenticate', body),
  }
}
