import { useStore } from '#shared/store/use-store.ts'
import { Switch } from '#shared/ui/Switch.tsx'
import type { CompareStore } from './compare-store.ts'

interface CompareSwitchProps {
  readonly compare: CompareStore
  /** Called if the driver has to sign in first. */
  readonly onSignIn: () => void
}

/** Turns compare mode on and off. Without a session it opens the sign-in. */
export function CompareSwitch({ compare, onSignIn }: CompareSwitchProps) {
  const { isOn } = useStore(compare)
  return (
    <Switch
      label="Compare Laps"
      checked={isOn}
      onCheckedChange={wanted => {
        if (!wanted) compare.turnOff()
        else if (!compare.turnOn()) onSignIn()
      }}
    />
  )
}
