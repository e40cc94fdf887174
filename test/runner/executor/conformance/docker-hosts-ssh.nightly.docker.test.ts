import { checkRows } from './check-rows.js'
import { HOST_BY_SSH } from './targets/docker-hosts.js'

checkRows(HOST_BY_SSH)
