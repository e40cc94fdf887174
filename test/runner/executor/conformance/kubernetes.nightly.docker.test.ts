import { checkRows } from './check-rows.js'
import { KUBERNETES } from './targets/kubernetes.js'

checkRows(KUBERNETES)
