import type { Bootstrap } from '@lapwing/identity-client/contract'
import { createContext, useContext } from 'react'
import { useStore } from '../../../src/shared/store/use-store.ts'
import type { Config, Presentation } from '../config/config.ts'
import type { Flows } from '../flows/flows.ts'
import type { Problem, State } from '../machine/machine.ts'
import type { PhoneParser } from '../phone/phone-parser.ts'
import type { Texts } from '../texts/texts.ts'
import type { Wallets } from './wallets.ts'

/** Everything that screens use. */
export interface WidgetContext {
  readonly flows: Flows
  readonly config: Config
  readonly presentation: Presentation
  readonly texts: Texts
  readonly direction: 'ltr' | 'rtl'
  readonly wallets: Wallets
  readonly parser: PhoneParser
  /** Null until it is loaded, or if that failed. */
  readonly bootstrap: Bootstrap | null
  /** Id of the form or button that acted last. A failure is shown there. */
  readonly acting: string
  /** Runs an action of this form or button. */
  act(id: string, action: () => Promise<unknown>): void
  /** Shows a sentence for some seconds. */
  toast(sentence: string): void
}

export const Widget = createContext<WidgetContext | null>(null)

export function useWidget(): WidgetContext {
  const widget = useContext(Widget)
  if (widget === null) throw new Error('A screen is outside of the widget.')
  return widget
}

export function useScreenState(): State {
  return useStore(useWidget().flows.state)
}

/** Returns the failure of this form or button; null if there is none, or if it belongs to another one. */
export function useProblem(id: string): Problem | null {
  const { acting } = useWidget()
  const { error } = useScreenState()
  return acting === id ? error : null
}
