import { pausedWords, someone } from '../../cards/words/team.ts'
import { oneLine } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { cancelledWords } from '../../words/agent.ts'
import { b, joined as inOneLine, lines } from '../../words/markup.ts'

/** Texts about an account's owners, which the owners themselves read. */

/** How many owners a list names. */
export const maxOwners = 10

/** The list of the account's owners; null if there is only one. */
export const owners = (
  all: readonly { userId: number; name: string | null; createdAt: Date }[],
  viewerId: number,
  now: Date,
): string | null =>
  all.length < 2
    ? null
    : lines(
        b('Owners'),
        ...all
          .slice(0, maxOwners)
          .map(
            (each) =>
              `🔑 ${each.userId === viewerId ? 'You' : someone(each)} · since ${when(each.createdAt, now)}`,
          ),
        all.length > maxOwners ? `… and ${all.length - maxOwners} more` : null,
        '',
      )

export const onlyYou = 'You’re the only owner.'

export const removeOwnerLabel = ({ name, userId }: { userId: number; name: string | null }) =>
  `🗑 Remove ${oneLine(name ?? '', 20) || userId}`

export const askRemoveOwner = (who: { userId: number; name: string | null }) =>
  [
    `Remove ${someone(who)} as an owner?`,
    'Their waiting orders will be cancelled. Agents they invited will be paused until you resume them.',
    keepOut,
  ].join('\n')

export const ownerRemoved = (
  who: { userId: number; name: string | null },
  paused: readonly { name: string | null }[],
  cancelled: number,
) =>
  lines(
    `🗑 ${someone(who)} is no longer an owner.`,
    inOneLine(' ', cancelledWords(cancelled), pausedWords(paused)) || null,
    keepOut,
  )

export const noSuchOwner =
  'You can’t remove them: they’ve left, or they became an owner before you. Nothing was changed.'

/** Said after an owner was removed, because they still know the key. */
const keepOut =
  'An owner you remove still knows the key. To keep them out, make a new key in the provider’s dashboard and /connect with it.'
