import type { Row } from '../row.js'
import { FILE_ROWS } from './files.js'
import { HOSTILE_ROWS } from './hostile.js'
import { IMAGE_ROWS } from './images.js'
import { ISOLATION_ROWS } from './isolation.js'
import { NETWORK_ROWS } from './networks.js'
import { OUTPUT_ROWS } from './output.js'
import { SCRIPT_ROWS } from './scripts.js'
import { SERVICE_ROWS } from './services.js'
import { STOP_ROWS } from './stopping.js'
import { SURVIVAL_ROWS } from './survival.js'
import { USER_ROWS } from './users.js'

/** What jobs can rely on, whatever engine runs them. */
export const ROWS: readonly Row[] = [
  ...SCRIPT_ROWS,
  ...OUTPUT_ROWS,
  ...IMAGE_ROWS,
  ...USER_ROWS,
  ...ISOLATION_ROWS,
  ...STOP_ROWS,
  ...SERVICE_ROWS,
  ...NETWORK_ROWS,
  ...FILE_ROWS,
  ...HOSTILE_ROWS,
  ...SURVIVAL_ROWS,
]
