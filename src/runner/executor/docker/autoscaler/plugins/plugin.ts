import type { Connection } from '../model/instance.js'

/** A machine as the plugin knows it. */
export interface PluginInstance {
  name: string
  /** Opaque JSON that later calls get, such as the ID in a cloud. */
  instance?: unknown
}

/**
 * Creates and deletes machines. Each has a name that the runner chooses and records before the call. All methods throw a
 * `PluginError`, and the reason of `signal` if it aborts. A method that failed may have had its effect.
 */
export interface Plugin {
  /** Creates a machine. Returns when it is certain to appear in `list`; its engine need not respond yet. */
  create(name: string, signal: AbortSignal): Promise<PluginInstance>
  /** Deletes a machine. Does nothing for one that does not exist. */
  delete(machine: PluginInstance, signal: AbortSignal): Promise<void>
  /** All machines of the pool that exist, also those that are being created or stopped. */
  list(signal: AbortSignal): Promise<PluginInstance[]>
  /** How to connect to the engine. Throws while the machine has no address yet. */
  connect(machine: PluginInstance, signal: AbortSignal): Promise<Connection>
}
