/** Jobs that wait in the queue of the coordinator. */
export interface Demand {
  /** Jobs that this registration could take now, as far as is known. */
  readonly queued: number
  /** Must be called when one of them was received. */
  jobReceived(): void
  /** Keeps `queued` current until `signal` aborts. `onChange` is called after each change. */
  run(onChange: () => void, signal: AbortSignal): Promise<void>
}
