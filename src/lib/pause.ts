import { setTimeout as sleep } from 'node:timers/promises'

/** Waits `milliseconds`, or until `signal` aborts; never throws for the abort. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal ? { signal } : {})
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

/** Spreads a waiting time over ±20 % so that many clients do not come back at the same moment. */
export function withJitter(milliseconds: number): number {
  return milliseconds * (0.8 + Math.random() * 0.4)
}
