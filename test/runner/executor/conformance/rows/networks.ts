import { BUSYBOX, WEB } from '../images.js'
import { type Row, script } from '../row.js'

export const NETWORK_ROWS: readonly Row[] = [
  {
    behaviour: 'a job has a network of its own if it asks for one, and its name',
    except: { kubernetes: 'each pod has a network of its own' },
    jobs: [
      {
        variables: [{ key: 'FF_NETWORK_PER_BUILD', value: 'true' }],
        steps: [script('echo "network $CI_BUILD_NETWORK_NAME"', 'nslookup build >/dev/null && echo found')],
        expected: { state: 'success', log: [/\nnetwork runner-\w+-7-0-124\n/, '\nfound\n'] },
      },
    ],
  },
  {
    behaviour: 'without a network, a job has none, and services are refused',
    except: { kubernetes: 'each pod has a network of its own' },
    docker: { network_mode: 'none' },
    jobs: [
      {
        steps: [script('echo "interfaces: $(ls /sys/class/net | grep -v -e lo -e tunl -e sit | wc -l)"')],
        expected: { state: 'success', log: ['\ninterfaces: 0\n'] },
      },
      {
        services: [{ name: BUSYBOX }],
        steps: [script('echo never')],
        expected: { state: 'failed', reason: 'runner_configuration_error', log: ['network_mode'] },
      },
    ],
  },
  {
    behaviour: 'host names of the settings are known to a job and its services',
    uses: [WEB],
    docker: { extra_hosts: ['mirror.example:192.0.2.7'] },
    kubernetes: { host_aliases: [{ ip: '192.0.2.7', hostnames: ['mirror.example'] }] },
    jobs: [
      {
        services: [{ name: WEB, alias: 'db' }],
        steps: [
          script('grep mirror.example /etc/hosts', 'wget -q -O - http://db/hosts | grep mirror.example'),
        ],
        expected: {
          state: 'success',
          log: [/192\.0\.2\.7\s+mirror\.example\n[^]*192\.0\.2\.7\s+mirror\.example\n/],
        },
      },
    ],
  },
]
