/** Metrics that a test reads. */
export interface Sample {
  readonly value: number
  readonly tags: Readonly<Record<string, string>>
}

export const samples = new Map<string, Sample[]>()

class Metric {
  readonly name: string

  constructor(name: string) {
    this.name = name
    samples.set(name, [])
  }

  add(value: number, tags: Readonly<Record<string, string>>) {
    samples.get(this.name)!.push({ value, tags })
  }
}

export { Metric as Counter, Metric as Trend }
