import { BROKEN, BUSYBOX, HEALTH, LATE_WEB, PORTLESS, SILENT, WEB } from '../images.js'
import { type Row, script } from '../row.js'

const SHOWN = { key: 'CI_DEBUG_SERVICES', value: 'true' }
const fetchFrom = (host: string) => `wget -q -O - http://${host}/passwd | grep -c root`

export const SERVICE_ROWS: readonly Row[] = [
  {
    behaviour: 'a service is reachable under its names, and its output is in the log, masked',
    isQuick: true,
    uses: [WEB],
    jobs: [
      {
        variables: [SHOWN, { key: 'SECRET', value: 'a-masked-value', masked: true }],
        services: [
          {
            name: WEB,
            alias: 'db',
            command: ['sh', '-c', 'echo "key is $KEY"; exec httpd -f -p 80 -h /etc'],
            variables: [{ key: 'KEY', value: '$SECRET' }],
          },
        ],
        steps: [script(fetchFrom('db'), fetchFrom('switchyard-test-web'))],
        expected: {
          state: 'success',
          log: ['[service:switchyard-test-web-db] key is [MASKED]'],
          notInLog: ['a-masked-value'],
        },
      },
    ],
  },
  {
    behaviour: 'a script begins when a service that starts slowly is ready',
    except: { kubernetes: 'its API knows neither the ports nor the health checks of images' },
    uses: [LATE_WEB],
    jobs: [
      {
        services: [{ name: LATE_WEB, alias: 'db' }],
        steps: [script(fetchFrom('db'))],
        expected: {
          state: 'success',
          log: ['Waiting for services to be up and running (timeout 30 seconds)...'],
          notInLog: ['WARNING'],
        },
      },
    ],
  },
  {
    behaviour: 'a service is ready when its health check succeeds',
    except: { kubernetes: 'its API knows neither the ports nor the health checks of images' },
    uses: [HEALTH],
    jobs: [
      {
        services: [{ name: HEALTH, alias: 'db' }],
        steps: [script(`wget -q -O - http://db/passwd | grep -c root`)],
        expected: { state: 'success', notInLog: ['WARNING'] },
      },
    ],
  },
  {
    behaviour: 'a service that ends is reported with its output, and the job continues',
    except: { kubernetes: 'its API knows neither the ports nor the health checks of images' },
    uses: [BROKEN],
    jobs: [
      {
        services: [{ name: BROKEN, alias: 'db' }],
        steps: [script('echo end')],
        expected: {
          state: 'success',
          log: [
            "probably didn't start properly",
            'it ended with exit code 3',
            'no data directory',
            '\nend\n',
          ],
        },
      },
    ],
  },
  {
    behaviour: 'a service that is not ready in time is reported, and the job continues',
    except: { kubernetes: 'its API knows neither the ports nor the health checks of images' },
    uses: [SILENT],
    docker: { wait_for_services_timeout: 3 },
    jobs: [
      {
        services: [{ name: SILENT, alias: 'db' }],
        steps: [script('echo end')],
        expected: { state: 'success', log: [/service ".*" timeout/, 'busy', '\nend\n'] },
      },
    ],
  },
  {
    behaviour: 'a service has its own command, variables and user',
    jobs: [
      {
        variables: [SHOWN],
        services: [
          {
            name: BUSYBOX,
            entrypoint: ['sh'],
            command: ['-c', 'echo "$WHO is $(id -u)"; exec sleep 1000'],
            variables: [{ key: 'WHO', value: 'me' }],
            executor_opts: { docker: { user: '1000' } },
          },
        ],
        steps: [script('sleep 1')],
        expected: { state: 'success', log: ['[service:switchyard-test-busybox] me is 1000'] },
      },
    ],
  },
  {
    behaviour: 'a service resolves the name of an earlier one, and the job that of each',
    except: { kubernetes: 'names of services are in its file of hosts, which nslookup does not read' },
    uses: [PORTLESS],
    jobs: [
      {
        variables: [SHOWN],
        services: [
          { name: PORTLESS, alias: 'first' },
          {
            name: BUSYBOX,
            alias: 'second',
            command: ['sh', '-c', 'nslookup first >/dev/null && echo found first; exec sleep 1000'],
          },
        ],
        steps: [script('nslookup second >/dev/null && echo found second')],
        expected: { state: 'success', log: ['second] found first', '\nfound second\n'] },
      },
    ],
  },
  {
    behaviour: 'a service with a wrong command fails the job, which says why',
    jobs: [
      {
        services: [{ name: BUSYBOX, alias: 'db', entrypoint: ['/no/such/program'] }],
        steps: [script('echo never')],
        expected: {
          state: 'failed',
          reason: 'runner_configuration_error',
          log: ['Check its "entrypoint" and "command"'],
        },
      },
    ],
  },
]
