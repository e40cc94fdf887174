import { expect, test } from 'vitest'

import { Service } from '../../../conformance/support/service.js'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
const PATH = '/application/appearance'

type Appearance = Record<string, unknown>

async function send(service: Service, fields: Record<string, string | Buffer>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.set(name, value)
    else form.set(name, new Blob([new Uint8Array(value)]), 'my logo.svg')
  }
  const headers = { 'private-token': service.root.token }
  const response = await fetch(`${service.url}/api/v4${PATH}`, { method: 'PUT', body: form, headers })
  return { status: response.status, body: (await response.json()) as Appearance }
}

test('the appearance is changed in parts, and shown on the page to sign in', async () => {
  const service = await Service.start()
  const signIn = async () => {
    const response = await fetch(`${service.url}/users/sign_in`)
    return { html: await response.text(), policy: response.headers.get('content-security-policy') }
  }
  const before = await service.json<Appearance>('GET', PATH)
  expect(before).toEqual({
    title: '',
    description: '',
    pwa_name: '',
    pwa_short_name: '',
    pwa_description: '',
    pwa_icon: null,
    logo: null,
    header_logo: null,
    favicon: null,
    member_guidelines: '',
    new_project_guidelines: '',
    profile_image_guidelines: '',
    header_message: '',
    footer_message: '',
    message_background_color: '#E75E40',
    message_font_color: '#FFFFFF',
    email_header_and_footer_enabled: false,
  })
  expect((await signIn()).policy).toContain('img-src data:')
  const values = { title: 'Our <CI>', description: '**Welcome** <script>x</script>' }
  const changed = await service.json<Appearance>('PUT', PATH, { ...values, message_font_color: '#000' })
  expect(changed).toEqual({ ...before, ...values, message_font_color: '#000' })
  const { body } = await send(service, { logo: PNG, email_header_and_footer_enabled: 'true' })
  expect(body).toEqual({ ...changed, logo: body['logo'], email_header_and_footer_enabled: true })
  const logo = String(body['logo'])
  expect(logo).toMatch(/^\/uploads\/-\/system\/appearance\/logo\/1\/my[^/]*logo\.png$/)
  const { html, policy } = await signIn()
  expect(html).toContain(`<img src="${logo}" alt="">`)
  expect(html).toContain('<strong>Our &lt;CI&gt;</strong>')
  expect(html).toContain('<strong>Welcome</strong>')
  expect(html).not.toContain('<script>')
  expect(policy).toContain("img-src 'self' data:")
})

test('an image of the instance is for everybody, by its type, until it is replaced or deleted', async () => {
  const service = await Service.start()
  const read = async (path: unknown) => {
    const response = await fetch(service.url + String(path))
    const headers = Object.fromEntries(response.headers)
    return { status: response.status, headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const first = String((await send(service, { favicon: PNG })).body['favicon'])
  expect(await read(first)).toMatchObject({
    status: 200,
    bytes: PNG,
    headers: {
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  })
  expect((await read('/uploads/-/system/appearance/favicon/1/other.png')).status).toBe(404)
  expect((await read(first.replace('favicon', 'logo'))).status).toBe(404)
  expect((await send(service, { favicon: Buffer.from('GIF89a') })).body['favicon']).toMatch(/\.gif$/)
  expect((await read(first)).status).toBe(404)
  expect((await send(service, { favicon: '' })).body['favicon']).toBeNull()
  expect((await read(first.replace('.png', '.gif'))).status).toBe(404)
})

test('what is no colour or no image without scripts is refused, and changes nothing', async () => {
  const service = await Service.start()
  const before = await service.json('GET', PATH)
  const refusals = [
    [{ title: 'x', message_font_color: 'red; }' }, { message_font_color: ['must be a valid color code'] }],
    [{ title: 'x', logo: SVG }, { logo: [expect.stringMatching(/^file format is not supported/) as string] }],
    [
      { title: 'x', header_logo: Buffer.concat([PNG, Buffer.alloc(1024 * 1024)]) },
      { header_logo: ['is too big (should be at most 1 MiB)'] },
    ],
  ] as const
  for (const [fields, message] of refusals) {
    expect(await send(service, fields)).toEqual({ status: 400, body: { message } })
  }
  const path = await service.fetch('PUT', PATH, { as: service.root, body: { logo: '/etc/passwd' } })
  expect(path.status).toBe(400)
  expect(await service.json('GET', PATH)).toEqual(before)
})
