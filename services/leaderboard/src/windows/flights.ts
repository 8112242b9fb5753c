/** Tracks queries in progress. A second request for the same value waits for the first query. */
export function createFlights() {
  const subjects = new Map<string, Map<string, Promise<unknown>>>()
  return {
    /** Joins the work of that key, or starts it. Others can join until `store` has ended too. */
    join<Value>(
      subject: string,
      key: string,
      work: () => Promise<Value>,
      store: (value: Value) => Promise<unknown>,
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
      // A request that read the cache just before the value was stored arrives here a moment later.
      flight.then(store).then(() => setImmediate(end), end)
      return flight
    },
    /** Stops others from joining the work of a subject, because its data has changed. */
    forget(subject: string): void {
      subjects.delete(subject)
    },
  }
}
