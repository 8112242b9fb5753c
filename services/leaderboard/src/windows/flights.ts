/** Work under way that others who want the same may wait for instead of beginning it again. */
export interface Flights {
  /** Joins the work of that key, or begins it; it can be joined until what `keep` gives has ended too. */
  join<Value>(
    subject: string,
    key: string,
    work: () => Promise<Value>,
    keep: (value: Value) => Promise<unknown>,
  ): Promise<Value>
  /** What is under way for a subject was asked of what is no more: nobody else joins it. */
  forget(subject: string): void
}

export function createFlights(): Flights {
  const subjects = new Map<string, Map<string, Promise<unknown>>>()
  return {
    join<Value>(
      subject: string,
      key: string,
      work: () => Promise<Value>,
      keep: (value: Value) => Promise<unknown>,
    ): Promise<Value> {
      const known = subjects.get(subject)?.get(key)
      if (known !== undefined) return known as Promise<Value>
      const flights = subjects.get(subject) ?? new Map<string, Promise<unknown>>()
      subjects.set(subject, flights)
      const flight = work()
      flights.set(key, flight)
      const end = () => {
        if (flights.get(key) === flight) flights.delete(key)
        if (flights.size === 0 && subjects.get(subject) === flights) subjects.delete(subject)
      }
      // Who looked into the cache just before the value was there comes a moment later.
      flight.then(keep).then(() => setImmediate(end), end)
      return flight
    },
    forget(subject) {
      subjects.delete(subject)
    },
  }
}
