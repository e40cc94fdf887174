import { expect, onTestFinished, test } from 'vitest'

import { connectEngine, isEngineLocal } from '../../../src/runner/executor/docker/connect-engine.js'
import { makeCertificates } from '../../support/certificates.js'
import { MACHINE_ENGINE } from '../../support/machine-engine.js'
import { startTlsEngine } from '../../support/tls-engine.js'

test('an engine with TLS is called with the certificates of the settings or the environment', async () => {
  const tlsCertPath = await makeCertificates()
  const host = await startTlsEngine(tlsCertPath)
  const bySettings = connectEngine({ host, tlsVerify: true, tlsCertPath }, {})
  expect(await bySettings.ping()).toBeInstanceOf(Buffer)
  const environment = { DOCKER_HOST: host, DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: tlsCertPath }
  expect(await connectEngine({}, environment).ping()).toBeInstanceOf(Buffer)
})

test('an engine with a certificate of another authority is rejected', async () => {
  const host = await startTlsEngine(await makeCertificates())
  const engine = connectEngine({ host, tlsVerify: true, tlsCertPath: await makeCertificates() }, {})
  await expect(engine.ping()).rejects.toThrow(/certificate/)
})

test('unreadable certificates are reported with their setting', () => {
  const settings = { host: 'tcp://127.0.0.1:2376', tlsVerify: true, tlsCertPath: '/nowhere' }
  expect(() => connectEngine(settings, {})).toThrow(/tls_cert_path.*\/nowhere\/ca\.pem/)
})

test('the host of the settings takes precedence over DOCKER_HOST', async () => {
  const before = process.env['DOCKER_HOST']
  process.env['DOCKER_HOST'] = 'tcp://127.0.0.1:9'
  onTestFinished(() => {
    if (before === undefined) delete process.env['DOCKER_HOST']
    else process.env['DOCKER_HOST'] = before
  })
  expect(await connectEngine({ host: MACHINE_ENGINE }).ping()).toBeInstanceOf(Buffer)
  await expect(connectEngine().ping()).rejects.toThrow('ECONNREFUSED')
})

test.each<[string | undefined, string | undefined, boolean]>([
  [undefined, undefined, true],
  ['unix:///run/docker.sock', 'tcp://a:1', true],
  [undefined, 'tcp://a:1', false],
  [undefined, 'a:1', false],
  ['tcp://a:1', undefined, false],
])('the engine at %s, with DOCKER_HOST %s, is on this machine: %s', (host, variable, expected) => {
  expect(isEngineLocal({ host }, variable === undefined ? {} : { DOCKER_HOST: variable })).toBe(expected)
})
