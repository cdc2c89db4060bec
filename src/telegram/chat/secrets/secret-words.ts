/** Messages to a person who wrote a key or a secret where no question asked for it. */

export const couldNotDelete =
  '⚠️ Telegram won’t let me delete your message with the key or secret. Please delete it yourself now.'

export const secretInGroup = (removed: boolean) =>
  removed
    ? '⚠️ Everybody in this group could read that. I deleted it and stored nothing.\nMake a new key in the provider’s dashboard, then /connect in a private chat with me.'
    : '⚠️ Everybody in this group can read that. I stored nothing. Delete your message.\nMake a new key in the provider’s dashboard, then /connect in a private chat with me.'

/**
 * The answer to a message with a key or a secret. @param isOwn whether it is a credential of the person's own account.
 */
export const secretFound = (isOwn: boolean, removed: boolean) =>
  [
    isOwn ? 'That was your API key or secret.' : 'That looks like an API key or secret.',
    removed ? 'I deleted the message and stored nothing.' : 'I stored nothing.',
    isOwn
      ? 'Send it only after /connect.'
      : 'To connect an account, send /connect first. If it wasn’t a key, send your message again without that part.',
  ].join('\n')

/**
 * Sent about a skipped message that looks like a credential. It was skipped because its sender, or strangers together,
 * send too much.
 */
export const secretSkipped = (removed: boolean) =>
  removed
    ? 'That looks like an API key or secret. I deleted it and stored nothing. Send it again in a minute.'
    : '⚠️ That looks like an API key or secret. I stored nothing, but can’t delete your message. Delete it yourself now.'

/** Sent while the database takes no changes. The rest of the message is handled later. */
export const secretHeld = (removed: boolean) =>
  removed
    ? 'That looks like an API key or secret, so I deleted your message at once.'
    : '⚠️ That looks like an API key or secret, and Telegram won’t let me delete it. Delete your message now.'
