import { busyboxVariant } from './docker-image.js'

const SERVE = 'httpd -f -p 80 -h /etc'

/** Serves its `/etc` at port 80, which the image exposes. */
export function webImage(): Promise<string> {
  return busyboxVariant('web', ['EXPOSE 80', command(SERVE)])
}

/** Like `webImage`, with a delay of two seconds. */
export function lateWebImage(): Promise<string> {
  return busyboxVariant('late-web', ['EXPOSE 80', command(`sleep 2; exec ${SERVE}`)])
}

/** Listens at once, but is healthy only after two seconds. Its health check runs twice a minute. */
export function healthImage(): Promise<string> {
  return busyboxVariant('health', [
    'EXPOSE 80',
    'HEALTHCHECK --interval=30s CMD test -e /tmp/well',
    command(`${SERVE.replace(' -f', '')}; sleep 2; echo is well >/tmp/well; exec sleep 1000`),
  ])
}

/** Says why and ends with 3. */
export function brokenImage(): Promise<string> {
  return busyboxVariant('broken', ['EXPOSE 80', command('echo no data directory; exit 3')])
}

/** Never opens the port that it exposes. */
export function silentImage(): Promise<string> {
  return busyboxVariant('silent', ['EXPOSE 80', command('echo busy; exec sleep 1000')])
}

/** Promises nothing. */
export function portlessImage(): Promise<string> {
  return busyboxVariant('portless', [command('exec sleep 1000')])
}

function command(script: string): string {
  return `CMD ${JSON.stringify(['sh', '-c', script])}`
}
