/** A value of Prometheus's text format. */
export interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Parses the text format, as far as `/metrics` of Lapwing uses it. */
export function parseMetrics(text: string): readonly Series[] {
  return [...text.matchAll(LINE)].map(([, name, labels = '', value]) => ({
    name: name!,
    labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, key, text]) => [key!, text!])),
    value: Number(value),
  }))
}

const LINE = /^([a-z_][\w:]*)(?:\{(.*)\})? (\S+)$/gim
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g
