import type { CiServices } from './ci.js'
import type { Foundation } from './foundation.js'
import type { RepositoryServices } from './repositories.js'
import type { StorageServices } from './storage.js'

/** The services that those of the other wings are made of. */
export interface BaseServices extends Foundation, RepositoryServices, StorageServices, CiServices {}
