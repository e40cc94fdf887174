import type { AccountServices } from './accounts.js'
import type { BaseServices } from './base.js'
import type { BulkImportServices } from './bulk-imports.js'
import type { HostingServices } from './hosting.js'
import type { IntegrationServices } from './integrations.js'
import type { LiveServices } from './live.js'
import type { PlanningServices } from './planning.js'

/** The services of a coordinator below its HTTP layer. */
export interface Services
  extends
    BaseServices,
    AccountServices,
    LiveServices,
    IntegrationServices,
    PlanningServices,
    HostingServices,
    BulkImportServices {}
