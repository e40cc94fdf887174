import { SwitchyardError } from '../../../../../lib/errors.js'

/** A plugin of the autoscaler could not do what was asked of it. */
export class PluginError extends SwitchyardError {
  readonly name = 'PluginError'
  readonly code = 'AUTOSCALER_PLUGIN_FAILED'
}

/** A record of a machine cannot be read. */
export class LedgerError extends SwitchyardError {
  readonly name = 'LedgerError'
  readonly code = 'AUTOSCALER_LEDGER_UNREADABLE'
}
