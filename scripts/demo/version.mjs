import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { versionOf } from '../release/manifests.mjs'
import { root } from '../setup/root.mjs'

/** The version that the runners of the demo say in their logs. */
export const VERSION = versionOf(readFileSync(join(root, 'package.json'), 'utf8'))
