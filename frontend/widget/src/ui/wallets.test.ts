import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WalletApp } from '@lapwing/identity-client/wallet-browser'
import { buttonOf, walletFor, walletOrder } from './wallets.ts'

const app = (name: string, type: 'ethereum' | 'solana') => ({ id: name, name, type }) as WalletApp

test('finds the button of a wallet by the name that it announces', () => {
  assert.equal(buttonOf({ name: 'MetaMask', type: 'ethereum' }), 'Metamask')
  assert.equal(buttonOf({ name: 'Coinbase Wallet', type: 'ethereum' }), 'Coinbase')
  assert.equal(buttonOf({ name: 'Rabby', type: 'ethereum' }), 'Other Ethereum Wallet')
  assert.equal(buttonOf({ name: 'Solflare', type: 'solana' }), 'Other Solana Wallet')
})

test('a button for others finds any wallet of its kind, and a named button only its own', () => {
  const metamask = app('MetaMask', 'ethereum')
  const rabby = app('Rabby', 'ethereum')
  assert.equal(walletFor('Other Ethereum Wallet', [metamask, rabby]), rabby)
  assert.equal(walletFor('Other Ethereum Wallet', [metamask]), metamask)
  assert.equal(walletFor('Coinbase', [metamask, rabby]), null)
  assert.equal(walletFor('Other Solana Wallet', [metamask]), null)
})

test('wallets of this browser come first, and each button once', () => {
  assert.deepEqual(walletOrder([]).slice(0, 2), ['Metamask', 'Phantom'])
  assert.equal(walletOrder([]).length, 7)
  assert.equal(walletOrder([app('Phantom', 'solana')])[0], 'Phantom')
  assert.equal(walletOrder([app('Phantom', 'solana'), app('Phantom', 'ethereum')]).length, 7)
})
