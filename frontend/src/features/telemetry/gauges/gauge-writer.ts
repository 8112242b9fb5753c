import { setText } from '#shared/drawing/set-text.ts'
import type { GaugeValues, PedalValue } from './gauge-values.ts'

/**
 * Writes samples into the gauges' elements, which it finds once by their `data-gauge`. It changes only what
 * differs. That avoids React, and most of layout, at 60 samples a second.
 */
export function createGaugeWriter(root: HTMLElement): (values: GaugeValues) => void {
  const part = (name: string) => root.querySelector<HTMLElement>(`[data-gauge="${name}"]`)!
  const gear = part('gear')
  const speed = part('speed')
  const wheel = part('wheel')
  const degrees = part('degrees')
  const rpmMeter = part('rpm')
  const rpmBar = part('rpm-bar')
  const rpmText = part('rpm-text')
  const writeThrottle = pedalWriter('throttle')
  const writeBrake = pedalWriter('brake')

  function pedalWriter(name: string): (pedal: PedalValue) => void {
    const meter = part(name)
    const bar = part(`${name}-bar`)
    const text = part(`${name}-text`)
    return pedal => {
      bar.style.transform = `scaleY(${pedal.share.toFixed(3)})`
      bar.dataset.pressed = String(pedal.isPressed)
      meter.ariaValueNow = pedal.text
      setText(text, pedal.text)
    }
  }

  return values => {
    writeThrottle(values.throttle)
    writeBrake(values.brake)
    setText(gear, values.gear)
    setText(speed, values.speed)
    setText(degrees, values.steering.text)
    setText(rpmText, values.rpm.text)
    rpmBar.style.transform = `scaleX(${values.rpm.share.toFixed(3)})`
    rpmBar.dataset.band = values.rpm.band
    rpmMeter.ariaValueNow = Math.round(values.rpm.share * 8000).toString()
    rpmMeter.ariaValueText = `${values.rpm.text} rpm`
    // In the file left is positive; on the screen clockwise is.
    wheel.style.transform = `rotate(${(-values.steering.degrees).toFixed(1)}deg)`
  }
}
