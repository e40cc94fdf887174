import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { Attribute, Change, Client } from 'ldapts'

import { ensureSlapd } from '../../scripts/setup/slapd.mjs'
import { makeCertificates } from './certificates.js'
import { freePort } from './free-port.js'
import { onFinished } from './lifetime.js'
import { tempDir } from './temp-dir.js'
import { untilListening } from './until-listening.js'

export const SUFFIX = 'dc=example,dc=org'
export const PEOPLE = `ou=people,${SUFFIX}`
export const GROUPS = `ou=groups,${SUFFIX}`
/** The account that may read everything but passwords. */
export const READER = { dn: `cn=reader,${SUFFIX}`, password: 'the password of the reader' }
const ADMIN = { dn: `cn=admin,${SUFFIX}`, password: 'admin' }

type Attributes = Record<string, string | string[] | Buffer>

/** A directory: Debian's slapd on 127.0.0.1, with the attributes of Active Directory that sign-in reads. */
export class LdapServer {
  private readonly log: string[] = []
  private process: ChildProcess | undefined

  private constructor(
    private readonly folder: string,
    private readonly ports: { plain: number; tls: number },
    /** Certificate of the authority, as PEM. */
    readonly authority: string,
  ) {}

  /** Ends with the test, or its file. */
  static async start(): Promise<LdapServer> {
    const folder = await tempDir()
    const certificates = await makeCertificates()
    await mkdir(join(folder, 'data'))
    await writeFile(join(folder, 'slapd.conf'), configuration(folder, certificates))
    const ports = { plain: await freePort(), tls: await freePort() }
    const authority = await readFile(join(certificates, 'ca.pem'), 'utf8')
    const server = new LdapServer(folder, ports, authority)
    await server.listen()
    onFinished(() => server.stop())
    await server.fill()
    return server
  }

  get url(): string {
    return `ldap://127.0.0.1:${this.ports.plain}`
  }

  get tlsUrl(): string {
    return `ldaps://127.0.0.1:${this.ports.tls}`
  }

  /** Also after `stop`, with the same entries. */
  async listen(): Promise<void> {
    const urls = `${this.url} ${this.tlsUrl}`
    const args = ['-f', join(this.folder, 'slapd.conf'), '-h', urls, '-d', 'none']
    const server = spawn(await ensureSlapd(), args, { stdio: ['ignore', 'ignore', 'pipe'] })
    this.process = server
    createInterface(server.stderr).on('line', (line) => this.log.push(line))
    const failed = once(server, 'exit').then(() => {
      throw new Error(`slapd has ended:\n${this.log.join('\n')}`)
    })
    const { plain, tls } = this.ports
    await Promise.race([failed, Promise.all([plain, tls].map((port) => untilListening('127.0.0.1', port)))])
  }

  async stop(): Promise<void> {
    const server = this.process
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }

  /** Adds a person; returns the DN. */
  async addUser(uid: string, password: string, more: Attributes = {}): Promise<string> {
    const dn = `uid=${uid},${PEOPLE}`
    await this.add(dn, {
      objectClass: ['inetOrgPerson', 'adUser'],
      cn: uid,
      sn: uid,
      userPassword: password,
      mail: `${uid}@corp.example`,
      ...more,
    })
    return dn
  }

  /** Adds a group with members, by DN; returns its DN. */
  async addGroup(cn: string, member: string[]): Promise<string> {
    const dn = `cn=${cn},${GROUPS}`
    await this.add(dn, { objectClass: 'groupOfNames', cn, member })
    return dn
  }

  add(dn: string, attributes: Attributes): Promise<void> {
    return this.asAdmin((client) => client.add(dn, Object.entries(attributes).map(attributeOf)))
  }

  /** Replaces attributes of an entry. */
  change(dn: string, attributes: Attributes): Promise<void> {
    const changes = Object.entries(attributes).map(
      (pair) => new Change({ operation: 'replace', modification: attributeOf(pair) }),
    )
    return this.asAdmin((client) => client.modify(dn, changes))
  }

  remove(dn: string): Promise<void> {
    return this.asAdmin((client) => client.del(dn))
  }

  private async fill(): Promise<void> {
    await this.add(SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' })
    for (const [dn, ou] of [
      [PEOPLE, 'people'],
      [GROUPS, 'groups'],
    ] as const) {
      await this.add(dn, { objectClass: 'organizationalUnit', ou })
    }
    const { dn, password } = READER
    await this.add(dn, { objectClass: ['person'], cn: 'reader', sn: 'reader', userPassword: password })
  }

  private async asAdmin(work: (client: Client) => Promise<void>): Promise<void> {
    const client = new Client({ url: this.url })
    try {
      await client.bind(ADMIN.dn, ADMIN.password)
      await work(client)
    } finally {
      await client.unbind()
    }
  }
}

function attributeOf([type, value]: [string, string | string[] | Buffer]): Attribute {
  if (Buffer.isBuffer(value)) return new Attribute({ type, values: [value] })
  return new Attribute({ type, values: [value].flat() })
}

/** The syntaxes: text without case, binary, a whole number. */
const ATTRIBUTES = `
attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.656 NAME 'userPrincipalName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.8 NAME 'userAccountControl' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.159 NAME 'accountExpires' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
objectclass ( 1.3.6.1.4.1.4203.666.11.99.1 NAME 'adUser' SUP top AUXILIARY
  MAY ( sAMAccountName $ userPrincipalName $ objectGUID $ userAccountControl $ accountExpires ) )
`

function configuration(folder: string, certificates: string): string {
  const schemas = ['core', 'cosine', 'inetorgperson', 'nis'].map(
    (name) => `include /etc/ldap/schema/${name}.schema`,
  )
  return `${schemas.join('\n')}
${ATTRIBUTES}
modulepath /usr/lib/ldap
moduleload back_mdb
TLSCACertificateFile ${join(certificates, 'ca.pem')}
TLSCertificateFile ${join(certificates, 'cert.pem')}
TLSCertificateKeyFile ${join(certificates, 'key.pem')}
sizelimit 100
database mdb
suffix "${SUFFIX}"
rootdn "${ADMIN.dn}"
rootpw ${ADMIN.password}
directory ${join(folder, 'data')}
maxsize 16777216
envflags nosync
index entryUUID,uid,member eq
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${READER.dn}" read by * none
`
}
