import type { Imports } from '../../../src/coordinator/hosting/projects/create/create-project.js'

/** For tests in which no repository is filled from elsewhere. */
export const NO_IMPORTS: Imports = { wake: () => undefined, refuses: () => false }
