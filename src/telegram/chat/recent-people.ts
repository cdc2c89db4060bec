/** Somebody who wrote to the bot lately. */
export interface RecentPerson {
  id: number
  name: string | null
  /** Without `@`; null if they have none. */
  username: string | null
}

const maxPeople = 500

/**
 * The people who wrote to the bot lately, the latest first. They are kept in memory alone, so that an operator can find
 * somebody whom they know by name, and nothing about strangers is stored.
 */
export interface RecentPeople {
  /** Remembers who wrote. */
  meet(person: RecentPerson): void
  latest(): RecentPerson[]
  /** The person who has this username; null if they have not written since the start. */
  byUsername(username: string): RecentPerson | null
}

export const createRecentPeople = (): RecentPeople => {
  const people = new Map<number, RecentPerson>()
  const latest = (): RecentPerson[] => [...people.values()].reverse()
  return {
    meet: (person) => {
      // Deleted first, so that the latest is always the last one of the map.
      people.delete(person.id)
      people.set(person.id, person)
      const [oldest] = people.keys()
      if (people.size > maxPeople && oldest !== undefined) people.delete(oldest)
    },
    latest,
    byUsername: (username) => {
      const wanted = username.toLowerCase()
      return latest().find((each) => each.username?.toLowerCase() === wanted) ?? null
    },
  }
}
