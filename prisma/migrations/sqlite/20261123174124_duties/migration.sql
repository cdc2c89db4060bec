-- DropIndex
DROP INDEX "Order_placement_notBefore_idx";

-- DropIndex
DROP INDEX "Order_settleAt_idx";

-- DropIndex
DROP INDEX "Order_refundAt_idx";

-- CreateTable
CREATE TABLE "Duty" (
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "due" DATETIME NOT NULL,
    "causes" INTEGER NOT NULL DEFAULT (ABS(RANDOM() % 1000000000)),

    PRIMARY KEY ("kind", "key")
);

-- CreateIndex
CREATE INDEX "Duty_kind_due_idx" ON "Duty"("kind", "due");

-- CreateIndex
CREATE INDEX "Order_placement_accountId_afterId_notBefore_createdAt_idx" ON "Order"("placement", "accountId", "afterId", "notBefore", "createdAt");

-- CreateIndex
CREATE INDEX "Order_accountId_nextPollAt_idx" ON "Order"("accountId", "nextPollAt");

-- CreateIndex
CREATE INDEX "Order_accountId_settleAt_idx" ON "Order"("accountId", "settleAt");

-- CreateIndex
CREATE INDEX "Order_accountId_refundAt_idx" ON "Order"("accountId", "refundAt");

-- Each cause of work writes its duty in its own transaction. A condition that only makes work later writes nothing:
-- the search finds that out.

CREATE TRIGGER "Order_queued" AFTER INSERT ON "Order"
  WHEN NEW."placement" = 'queued' AND NEW."afterId" IS NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('placing', NEW."accountId", COALESCE(NEW."notBefore", NEW."createdAt"))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_requeued" AFTER UPDATE OF "placement", "afterId", "notBefore" ON "Order"
  WHEN NEW."placement" = 'queued' AND NEW."afterId" IS NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('placing', NEW."accountId", COALESCE(NEW."notBefore", NEW."createdAt"))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_polled" AFTER INSERT ON "Order"
  WHEN NEW."nextPollAt" IS NOT NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('polling', NEW."accountId", NEW."nextPollAt")
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_polled_sooner" AFTER UPDATE OF "nextPollAt" ON "Order"
  WHEN NEW."nextPollAt" IS NOT NULL AND (OLD."nextPollAt" IS NULL OR NEW."nextPollAt" < OLD."nextPollAt")
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('polling', NEW."accountId", NEW."nextPollAt")
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_searched" AFTER INSERT ON "Order"
  WHEN NEW."settleAt" IS NOT NULL OR NEW."refundAt" IS NOT NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('settling', NEW."accountId", COALESCE(CASE WHEN NEW."refundAt" < NEW."settleAt" THEN NEW."refundAt" ELSE NEW."settleAt" END, NEW."refundAt"))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_searched_sooner" AFTER UPDATE OF "settleAt", "refundAt" ON "Order"
  WHEN (NEW."settleAt" IS NOT NULL AND (OLD."settleAt" IS NULL OR NEW."settleAt" < OLD."settleAt"))
    OR (NEW."refundAt" IS NOT NULL AND (OLD."refundAt" IS NULL OR NEW."refundAt" < OLD."refundAt"))
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('settling', NEW."accountId", COALESCE(CASE WHEN NEW."refundAt" < NEW."settleAt" THEN NEW."refundAt" ELSE NEW."settleAt" END, NEW."refundAt"))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Purchase_released" AFTER UPDATE OF "heldById" ON "Purchase"
  WHEN OLD."heldById" IS NOT NULL AND NEW."heldById" IS NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('placing', NEW."accountId", NEW."createdAt")
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Account_reachable" AFTER UPDATE OF "frozenUntil", "unauthorizedSince" ON "Account"
  WHEN (OLD."unauthorizedSince" IS NOT NULL AND NEW."unauthorizedSince" IS NULL)
    OR (OLD."frozenUntil" IS NOT NULL AND (NEW."frozenUntil" IS NULL OR NEW."frozenUntil" < OLD."frozenUntil"))
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('placing', NEW."id", '1970-01-01T00:00:00.000+00:00')
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('polling', NEW."id", '1970-01-01T00:00:00.000+00:00')
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('settling', NEW."id", '1970-01-01T00:00:00.000+00:00')
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Notice_owed" AFTER INSERT ON "Notice"
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('sending', CAST(NEW."chatId" AS TEXT), COALESCE(CASE WHEN NEW."quietUntil" > NEW."notBefore" THEN NEW."quietUntil" ELSE NEW."notBefore" END, NEW."quietUntil", NEW."createdAt"))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Notice_changed" AFTER UPDATE OF "notBefore", "quietUntil", "setAsideAt", "chatId" ON "Notice"
  WHEN NEW."notBefore" IS NULL OR NEW."notBefore" < OLD."notBefore" OR NEW."quietUntil" IS DISTINCT FROM OLD."quietUntil"
    OR NEW."setAsideAt" IS DISTINCT FROM OLD."setAsideAt" OR NEW."chatId" <> OLD."chatId"
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('sending', CAST(NEW."chatId" AS TEXT), NEW."createdAt")
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Notice_gone" AFTER DELETE ON "Notice"
  WHEN OLD."notBefore" IS NOT NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('sending', CAST(OLD."chatId" AS TEXT), OLD."createdAt")
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Chat_unmuted" AFTER UPDATE OF "mutedAt" ON "Chat"
  WHEN OLD."mutedAt" IS NOT NULL AND NEW."mutedAt" IS NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('sending', CAST(NEW."id" AS TEXT), OLD."mutedAt")
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Chat_gone" AFTER DELETE ON "Chat"
  WHEN OLD."mutedAt" IS NOT NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('sending', CAST(OLD."id" AS TEXT), OLD."mutedAt")
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

-- What waits already.
INSERT INTO "Duty" ("kind", "key", "due")
  SELECT 'placing', "accountId", MIN(COALESCE("notBefore", "createdAt")) FROM "Order"
  WHERE "placement" = 'queued' AND "afterId" IS NULL GROUP BY "accountId";
INSERT INTO "Duty" ("kind", "key", "due")
  SELECT 'polling', "accountId", MIN("nextPollAt") FROM "Order" WHERE "nextPollAt" IS NOT NULL GROUP BY "accountId";
INSERT INTO "Duty" ("kind", "key", "due")
  SELECT 'settling', "accountId", MIN("at") FROM (
    SELECT "accountId", "settleAt" AS "at" FROM "Order" WHERE "settleAt" IS NOT NULL
    UNION ALL SELECT "accountId", "refundAt" FROM "Order" WHERE "refundAt" IS NOT NULL
  ) AS "searched" GROUP BY "accountId";
INSERT INTO "Duty" ("kind", "key", "due")
  SELECT 'sending', CAST("chatId" AS TEXT), MIN("createdAt") FROM "Notice" WHERE "setAsideAt" IS NULL GROUP BY "chatId";
