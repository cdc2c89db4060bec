import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Each use of `CREDENTIALS_KEY` has a key of its own, derived by HKDF-SHA256 with one of these labels. */
const labels = {
  seal: 'bundlegram/seal/v1',
  lookup: 'bundlegram/lookup/v1',
  webhook: 'bundlegram/webhook/v1',
  share: 'bundlegram/share/v1',
  invitation: 'bundlegram/invitation/v1',
  telegram: 'bundlegram/telegram-webhook/v1',
  probe: 'bundlegram/probe/v1',
  tag: 'bundlegram/tag/v1',
  event: 'bundlegram/security-event/v1',
} as const

/** What a signed id is for. A token for one purpose is invalid for another. */
export type TokenPurpose = 'webhook' | 'share' | 'probe'

/** None of the keys in `CREDENTIALS_KEY` opens the value. It was sealed with another key, or moved from its place. */
export class CannotOpen extends Error {
  override name = 'CannotOpen'
  readonly code = 'cannot_open'

  constructor() {
    super('A sealed value cannot be opened with the keys in CREDENTIALS_KEY.')
  }
}

/**
 * All cryptography of Bundlegram: sealing credentials, keyed look-up hashes, signed ids. The first key encrypts and
 * signs; all keys decrypt and verify (rotation).
 */
export interface Keyring {
  /** The ids of the keys, the current key's first. They are not secret: each sealed value contains one. */
  readonly keyIds: readonly string[]
  /**
   * Seals with AES-256-GCM and a random nonce: `v1.<key id>.<nonce>.<tag>.<ciphertext>`.
   * @param place where the value belongs (account id and field). The value does not open in any other place.
   */
  seal(plain: string, place: string): string
  /** Opens a sealed value. @throws {CannotOpen} */
  open(sealed: string, place: string): string
  /** Keyed hashes of a value, one for each key, the current key's first. */
  lookupHashes(value: string): string[]
  /** Appends an authentication code to the id: 22 more characters, safe in URLs and deep links. */
  sign(purpose: TokenPurpose, id: string): string
  /** The id in a token that this keyring signed for that purpose; null for any other token. */
  verify(purpose: TokenPurpose, token: string): string | null
  /** Hashes under which a one-time secret is stored, one for each key, the current key's first. */
  invitationHashes(secret: string): string[]
  /** Short keyed pseudonyms of a person or an account, one for each key, the current key's first. */
  tags(of: string): string[]
  /** Authentication codes of a security event, one for each key, the current key's first. */
  eventCodes(event: string): string[]
  /** The secret that Telegram sends back with each update in webhook mode. */
  telegramSecret(): string
  /**
   * Whether the text is Telegram's secret under any of the keys. While the key is being changed, some instances still
   * use the old one.
   */
  isTelegramSecret(text: string): boolean
}

interface DerivedKeys {
  id: string
  keys: Record<keyof typeof labels, KeyObject>
}

const macLength = 22
/** 72 bits: enough that no two people of one bot share a tag. */
const tagLength = 12

/** @param masters 32-byte keys, the current one first */
export const createKeyring = (masters: readonly Uint8Array[]): Keyring => {
  const [current, ...older] = masters.map(derive)
  if (!current) throw new RangeError('A keyring needs at least one key.')
  const all = [current, ...older]

  return {
    keyIds: all.map(({ id }) => id),
    seal: (plain, place) => seal(current, plain, place),
    open: (sealed, place) => open(all, sealed, place),
    lookupHashes: (value) => all.map(({ keys }) => hmac(keys.lookup, value).toString('base64url')),
    sign: (purpose, id) => id + mac(current.keys[purpose], id),
    verify: (purpose, token) => {
      const id = token.slice(0, -macLength)
      const code = token.slice(-macLength)
      if (id.length === 0 || token.length > 256) return null
      return all.some(({ keys }) => sameText(mac(keys[purpose], id), code)) ? id : null
    },
    invitationHashes: (secret) => all.map(({ keys }) => hmac(keys.invitation, secret).toString('base64url')),
    tags: (of) => all.map(({ keys }) => hmac(keys.tag, of).toString('base64url').slice(0, tagLength)),
    eventCodes: (event) => all.map(({ keys }) => hmac(keys.event, event).toString('base64url')),
    telegramSecret: () => telegramSecret(current),
    isTelegramSecret: (text) => all.some((derived) => sameText(telegramSecret(derived), text)),
  }
}

const derive = (master: Uint8Array): DerivedKeys => {
  // Key objects, because with plain bytes each authentication code would take five times as long.
  const key = (label: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), label, 32)))
  return {
    id: hmac(key('bundlegram/key-id/v1'), 'id').toString('base64url').slice(0, 8),
    keys: {
      seal: key(labels.seal),
      lookup: key(labels.lookup),
      webhook: key(labels.webhook),
      share: key(labels.share),
      invitation: key(labels.invitation),
      telegram: key(labels.telegram),
      probe: key(labels.probe),
      tag: key(labels.tag),
      event: key(labels.event),
    },
  }
}

const additionalData = (keyId: string, place: string) => Buffer.from(`v1\0${keyId}\0${place}`)

const seal = ({ id, keys }: DerivedKeys, plain: string, place: string): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keys.seal, nonce, { authTagLength: 16 })
  cipher.setAAD(additionalData(id, place))
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return written(id, nonce, cipher.getAuthTag(), text)
}

export const keyIdOf = (sealed: string): string => sealed.split('.')[1] ?? ''

export const sealedPrefix = (keyId: string): string => `v1.${keyId}.`

const written = (keyId: string, ...parts: Buffer[]): string =>
  ['v1', keyId, ...parts.map((part) => part.toString('base64url'))].join('.')

const open = (all: DerivedKeys[], sealed: string, place: string): string => {
  const [, keyId = '', ...parts] = sealed.split('.')
  const [nonce, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'))
  const derived = all.find(({ id }) => id === keyId)
  if (!derived || !text || nonce?.length !== 12 || tag?.length !== 16) throw new CannotOpen()
  // The same bytes can be written in base64url in several ways. Only the text that was sealed is accepted.
  if (sealed !== written(keyId, nonce, tag, text)) throw new CannotOpen()
  try {
    const decipher = createDecipheriv('aes-256-gcm', derived.keys.seal, nonce, { authTagLength: 16 })
    decipher.setAAD(additionalData(derived.id, place))
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch {
    throw new CannotOpen()
  }
}

const telegramSecret = ({ keys }: DerivedKeys): string =>
  hmac(keys.telegram, 'secret_token').toString('base64url')

const hmac = (key: KeyObject, value: string): Buffer => createHmac('sha256', key).update(value).digest()

const mac = (key: KeyObject, id: string): string => hmac(key, id).subarray(0, 16).toString('base64url')

const sameText = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
