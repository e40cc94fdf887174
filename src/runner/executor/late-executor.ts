import type { Executor } from './executor.js'

/**
 * An executor whose modules are loaded with its first call, to save memory in runners without one. `load` is called once,
 * unless it failed.
 */
export function lateExecutor(load: () => Promise<Executor>): Executor {
  let loading: Promise<Executor> | undefined
  const loaded = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  const whenLoaded = async (use: (executor: Executor) => void | Promise<void>) => {
    const executor = await loading?.catch(() => undefined)
    if (executor) await use(executor)
  }
  return {
    prepare: async (...options) => await (await loaded()).prepare(...options),
    adopt: async (...options) => await (await loaded()).adopt(...options),
    removeLeftovers: async (kept) => await (await loaded()).removeLeftovers(kept),
    ping: async (signal) => await (await loaded()).ping(signal),
    disconnected: async (signal) => await (await loaded()).disconnected(signal),
    close: () => void whenLoaded((executor) => executor.close?.()),
    end: () => whenLoaded((executor) => executor.end?.()),
  }
}
