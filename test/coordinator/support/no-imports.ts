import type { Imports } from '../../../src/coordinator/hosting/projects/create/create-project.js'

/** For tests that import nothing into repositories. */
export const NO_IMPORTS: Imports = { wake: () => undefined, refuses: () => false }
