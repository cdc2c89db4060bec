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

/** Each use of `CREDENTIALS_KEY` has its own key, derived by HKDF-SHA256 under one of these labels. */
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

/** The use of a signed id. A token for one purpose is invalid for another. */
export type TokenPurpose = 'webhook' | 'share' | 'probe'

/** None of the keys in `CREDENTIALS_KEY` sealed the value, or the value does not belong where it was found. */
export class CannotOpen extends Error {
  override name = 'CannotOpen'
  readonly code = 'cannot_open'

  constructor() {
    super('A sealed value cannot be opened with the keys in CREDENTIALS_KEY.')
  }
}

/**
 * All cryptography of Bundlegram: sealing of credentials, keyed look-up hashes, signed ids.
 * The first key encrypts and signs; all of them decrypt and verify (rotation).
 */
export interface Keyring {
  /** The ids of the keys, the one in use first. They are not secret: each sealed value contains one. */
  readonly keyIds: readonly string[]
  /**
   * Seals by AES-256-GCM with a random nonce: `v1.<key id>.<nonce>.<tag>.<ciphertext>`.
   * @param place the owner of the value (account id and field); a value moved elsewhere does not open.
   */
  seal(plain: string, place: string): string
  /** Opens a sealed value. @throws {CannotOpen} */
  open(sealed: string, place: string): string
  /** Keyed hashes of a value, one for each key, the first key's first. */
  lookupHashes(value: string): string[]
  /** Adds an authentication code to the id: 22 characters longer, safe in URLs and deep links. */
  sign(purpose: TokenPurpose, id: string): string
  /** The id of a token that this keyring signed for that purpose; otherwise null. */
  verify(purpose: TokenPurpose, token: string): string | null
  /** Hashes for storing a one-time secret, the first key's first. */
  invitationHashes(secret: string): string[]
  /** Short keyed names of a person or an account, one for each key, the first key's first. */
  tags(of: string): string[]
  /** Authentication codes of a security event, one for each key, the first key's first. */
  eventCodes(event: string): string[]
  /** The secret that Telegram sends back with each update in webhook mode. */
  telegramSecret(): string
  /** Whether the text is that secret under any key: instances start with a new key one after the other. */
  isTelegramSecret(text: string): boolean
}

interface DerivedKeys {
  id: string
  keys: Record<keyof typeof labels, KeyObject>
}

const macLength = 22
/** 72 bits: no two people of one bot share a tag. */
const tagLength = 12

/** Creates the keyring. @param masters 32-byte keys, the one in use first. */
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
  // A key object: with plain bytes each authentication code would take five times as long.
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

/** The id of the key that sealed a value. */
export const keyIdOf = (sealed: string): string => sealed.split('.')[1] ?? ''

/** The prefix of every value that the key sealed. */
export const sealedPrefix = (keyId: string): string => `v1.${keyId}.`

const written = (keyId: string, ...parts: Buffer[]): string =>
  ['v1', keyId, ...parts.map((part) => part.toString('base64url'))].join('.')

const open = (all: DerivedKeys[], sealed: string, place: string): string => {
  const [, keyId = '', ...parts] = sealed.split('.')
  const [nonce, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'))
  const derived = all.find(({ id }) => id === keyId)
  if (!derived || !text || nonce?.length !== 12 || tag?.length !== 16) throw new CannotOpen()
  // base64url decodes leniently: a value has many spellings, and only the sealed one opens.
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
