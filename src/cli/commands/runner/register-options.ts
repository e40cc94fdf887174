import { Option } from 'commander'

import type { RunnerAccessLevel } from '../../../protocol/runner-registration.js'
import { choiceReader } from './flag-values.js'
import { booleanOption, configOption, numberOption, textOption } from './options.js'
import { registrationOptions } from './registration-options.js'
import { withVariable } from './with-variable.js'

/** Flags of registration that are not keys of the file. */
export interface RegisterOptions {
  config: string
  nonInteractive?: boolean
  leaveRunner?: boolean
  templateConfig?: string
  token?: string
  registrationToken?: string
  tagList?: string
  runUntagged?: boolean
  locked?: boolean
  accessLevel?: RunnerAccessLevel
  maximumTimeout?: number
  paused?: boolean
  maintenanceNote?: string
}

/** Flags and environment variables of registration (runner protocol, 9.6). */
export function registerOptions(): Option[] {
  return [configOption(), ...commandFlags(), ...tokenFlags(), ...serverFlags(), ...registrationOptions()]
}

/** The flags that were given for properties that the coordinator stores. */
export function serverSideFlags(options: RegisterOptions): string[] {
  const flags = {
    '--tag-list': options.tagList,
    '--run-untagged': options.runUntagged,
    '--locked': options.locked,
    '--access-level': options.accessLevel,
    '--maximum-timeout': options.maximumTimeout,
    '--paused': options.paused,
    '--maintenance-note': options.maintenanceNote,
  }
  return Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [flag]))
}

function commandFlags(): Option[] {
  return [
    booleanOption('-n, --non-interactive', 'do not ask questions', 'REGISTER_NON_INTERACTIVE'),
    textOption('--template-config <file>', 'settings file that the flags extend', 'TEMPLATE_CONFIG_FILE'),
    booleanOption(
      '--leave-runner',
      'keep the runner at the coordinator if its settings cannot be written',
      'REGISTER_LEAVE_RUNNER',
    ),
  ]
}

function tokenFlags(): Option[] {
  return grouped('Token, one of:', [
    textOption(
      '-t, --token <token>',
      'authentication token of a runner that was created at the coordinator',
      'CI_SERVER_TOKEN',
    ),
    textOption(
      '-r, --registration-token <token>',
      'token that allows creating a runner',
      'REGISTRATION_TOKEN',
    ),
  ])
}

function serverFlags(): Option[] {
  return grouped('Stored by the coordinator, with --registration-token only:', [
    textOption('--tag-list <tags>', 'tags, separated by commas', 'RUNNER_TAG_LIST'),
    booleanOption(
      '--run-untagged',
      'also run jobs without tags (default: true if there are no tags)',
      'REGISTER_RUN_UNTAGGED',
    ),
    booleanOption('--locked', 'lock the runner to its first project (default: true)', 'REGISTER_LOCKED'),
    withVariable(
      new Option('--access-level <level>', 'jobs to run: not_protected (all refs) or ref_protected'),
      'REGISTER_ACCESS_LEVEL',
    ).argParser(choiceReader(['not_protected', 'ref_protected'])),
    numberOption(
      '--maximum-timeout <seconds>',
      'maximum job duration, at least 600',
      'REGISTER_MAXIMUM_TIMEOUT',
    ),
    booleanOption('--paused', 'create the runner paused', 'REGISTER_PAUSED'),
    textOption('--maintenance-note <text>', 'note for administrators', 'REGISTER_MAINTENANCE_NOTE'),
  ])
}

function grouped(heading: string, options: Option[]): Option[] {
  return options.map((option) => option.helpGroup(heading))
}
