import { createHash } from 'node:crypto'
import type { Api } from 'grammy'
import { type NamedBot, publishName } from './bot-name.ts'
import { description, shortDescription } from './profile-words.ts'

/** The name of the stored fact that says which profile was set last. */
const factName = 'profile'

/**
 * Sets the bot's descriptions and menu button, and its name if an operator chose one. It makes no call if this bot was
 * given the same profile before, so what an operator changes at BotFather stays until a version with other texts
 * starts.
 * @param onTrouble called with the error of a failed call; the next start tries again.
 */
export const publishProfile = async (
  options: NamedBot & {
    api: Pick<
      Api,
      | 'getMyDescription'
      | 'setMyDescription'
      | 'getMyShortDescription'
      | 'setMyShortDescription'
      | 'getChatMenuButton'
      | 'setChatMenuButton'
    >
    onTrouble: (error: unknown) => void
  },
): Promise<void> => {
  const { api, botId, facts, onTrouble } = options
  const wanted = nameOf(botId)
  try {
    await publishName(options)
    if ((await facts.read(factName)) === wanted) return
    const long = await api.getMyDescription()
    if (long.description !== description) await api.setMyDescription(description)
    const short = await api.getMyShortDescription()
    if (short.short_description !== shortDescription) await api.setMyShortDescription(shortDescription)
    const button = await api.getChatMenuButton()
    if (button.type !== 'commands') await api.setChatMenuButton({ menu_button: { type: 'commands' } })
    await facts.write(factName, wanted)
  } catch (error) {
    onTrouble(error)
  }
}

/** A hash that changes with the bot and with the texts of its profile. */
const nameOf = (botId: number): string =>
  createHash('sha256')
    .update(`${botId}\n${description}\n${shortDescription}`)
    .digest('base64url')
    .slice(0, 12)
