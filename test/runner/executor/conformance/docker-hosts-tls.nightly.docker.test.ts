import { checkRows } from './check-rows.js'
import { HOST_BY_TLS } from './targets/docker-hosts.js'

checkRows(HOST_BY_TLS)
