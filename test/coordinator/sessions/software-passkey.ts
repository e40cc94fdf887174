import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

interface Ceremony {
  origin: string
  /** The domain that the passkey believes to be on. */
  rpId: string
  challenge: string
  /** Whether it has verified the person. */
  isVerified?: boolean
}

/** A passkey with a key of P-256, as an authenticator makes one. */
export class SoftwarePasskey {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  private readonly id = randomBytes(16)
  counter = 0

  /** The text that a page sends after `navigator.credentials.create`. */
  register(ceremony: Ceremony): string {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' })
    const cose = cborMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, cose])
    const authData = Buffer.concat([this.authData(ceremony, 0x40), attested])
    const attestationObject = cborMap([
      ['fmt', 'none'],
      ['attStmt', {}],
      ['authData', authData],
    ])
    return this.text({
      clientDataJSON: clientData('webauthn.create', ceremony).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** The text that a page sends after `navigator.credentials.get`. */
  sign(ceremony: Ceremony): string {
    this.counter += 1
    const clientDataJSON = clientData('webauthn.get', ceremony)
    const authenticatorData = this.authData(ceremony, 0)
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()])
    return this.text({
      clientDataJSON: clientDataJSON.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, this.keys.privateKey).toString('base64url'),
    })
  }

  private authData({ rpId, isVerified = true }: Ceremony, flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const present = 0x01 | (isVerified ? 0x04 : 0) | flags
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([present]), counter])
  }

  private text(response: object): string {
    const id = this.id.toString('base64url')
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })
  }
}

function clientData(type: string, { origin, challenge }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

type Cbor = number | string | Buffer | Record<string, never>

/** RFC 8949, for the few types that a passkey needs. */
function cborMap(entries: readonly (readonly [number | string, Cbor])[]): Buffer {
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([key, value]) => [cbor(key), cbor(value)]),
  ])
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  return Buffer.isBuffer(value) ? Buffer.concat([head(2, value.length), value]) : cborMap([])
}

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
