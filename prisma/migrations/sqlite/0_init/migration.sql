-- CreateTable
CREATE TABLE "Account" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "keyHash" TEXT NOT NULL,
    "sealedKey" TEXT NOT NULL,
    "sealedSecret" TEXT NOT NULL,
    "accountType" TEXT,
    "balancePesewas" INTEGER,
    "balanceAt" DATETIME,
    "explainedPesewas" INTEGER,
    "unauthorizedSince" DATETIME,
    "refusalToldAt" DATETIME,
    "verifyAt" DATETIME,
    "frozenUntil" DATETIME,
    "callbackSeenAt" DATETIME,
    "eraseBy" DATETIME,
    "forgetAt" DATETIME,
    "auditSince" DATETIME,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Member" (
    "userId" BIGINT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "role" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "name" TEXT,
    "invitedBy" BIGINT,
    "dailyLimitPesewas" INTEGER,
    "networks" TEXT,
    "pausedAt" DATETIME,
    "resumedAt" DATETIME,
    "told" TEXT NOT NULL DEFAULT 'problems',
    CONSTRAINT "Member_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Shop" (
    "accountId" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT,
    "ruleKind" TEXT,
    "ruleValue" INTEGER NOT NULL DEFAULT 0,
    "roundPesewas" INTEGER NOT NULL DEFAULT 1,
    "phone" TEXT,
    "accent" TEXT,
    "letter" TEXT,
    "nameAskedAt" DATETIME,
    "agentPrices" TEXT
);

-- CreateTable
CREATE TABLE "HiddenBundle" (
    "accountId" TEXT NOT NULL,
    "bundleId" INTEGER NOT NULL,

    PRIMARY KEY ("accountId", "bundleId")
);

-- CreateTable
CREATE TABLE "PriceTier" (
    "accountId" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "fromMegabytes" INTEGER NOT NULL,
    "ruleKind" TEXT NOT NULL,
    "ruleValue" INTEGER NOT NULL,
    "roundPesewas" INTEGER NOT NULL,

    PRIMARY KEY ("accountId", "network", "fromMegabytes")
);

-- CreateTable
CREATE TABLE "SellingPrice" (
    "accountId" TEXT NOT NULL,
    "bundleId" INTEGER NOT NULL,
    "pricePesewas" INTEGER NOT NULL,

    PRIMARY KEY ("accountId", "bundleId")
);

-- CreateTable
CREATE TABLE "Preference" (
    "userId" BIGINT NOT NULL PRIMARY KEY,
    "notify" TEXT NOT NULL DEFAULT 'final',
    "quietFrom" INTEGER,
    "quietTo" INTEGER,
    "lowBalancePesewas" INTEGER,
    "lowBalanceToldAt" DATETIME,
    "defaultNetwork" TEXT,
    "freeRepeatPesewas" INTEGER,
    "summaryHour" INTEGER,
    "summaryAt" DATETIME,
    "summaryToldTo" DATETIME,
    "timeZone" TEXT NOT NULL DEFAULT 'Africa/Accra'
);

-- CreateTable
CREATE TABLE "Customer" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "agentId" BIGINT NOT NULL DEFAULT 0,
    "phone" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "nameKey" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "PortedNumber" (
    "accountId" TEXT NOT NULL,
    "phone" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "keptAt" DATETIME NOT NULL,

    PRIMARY KEY ("accountId", "phone")
);

-- CreateTable
CREATE TABLE "BookChange" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "agentId" BIGINT NOT NULL,
    "entries" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Enquiry" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "orderId" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "customerChatId" BIGINT NOT NULL,
    "cause" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "answerCause" TEXT,
    "answeredAt" DATETIME,
    "blockedAt" DATETIME
);

-- CreateTable
CREATE TABLE "Purchase" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "userId" BIGINT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "cause" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'single',
    "state" TEXT NOT NULL,
    "lines" TEXT NOT NULL,
    "remark" TEXT,
    "cardMessageId" BIGINT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "confirmedAt" DATETIME,
    "successorId" TEXT,
    "heldById" TEXT,
    "retryOfId" TEXT,
    "closedAt" DATETIME,
    CONSTRAINT "Purchase_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "List" (
    "purchaseId" TEXT NOT NULL PRIMARY KEY,
    "text" TEXT NOT NULL,
    "answers" TEXT NOT NULL,
    "fixedBundleId" INTEGER,
    "market" TEXT NOT NULL,
    CONSTRAINT "List_purchaseId_fkey" FOREIGN KEY ("purchaseId") REFERENCES "Purchase" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Unanswered" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "cause" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "userId" BIGINT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "ask" TEXT NOT NULL,
    "messageId" BIGINT,
    "createdAt" DATETIME NOT NULL,
    "tryAt" DATETIME NOT NULL,
    "until" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Order" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "purchaseId" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "userId" BIGINT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "listed" BOOLEAN NOT NULL DEFAULT false,
    "position" INTEGER NOT NULL DEFAULT 0,
    "afterId" TEXT,
    "bundleId" INTEGER NOT NULL,
    "network" TEXT NOT NULL,
    "volume" TEXT NOT NULL,
    "offerSlug" TEXT,
    "unitPricePesewas" INTEGER NOT NULL,
    "sellUnitPesewas" INTEGER,
    "agentUnitPesewas" INTEGER,
    "quantity" INTEGER NOT NULL,
    "acceptedQuantity" INTEGER,
    "placement" TEXT NOT NULL,
    "reason" TEXT,
    "providerMessage" TEXT,
    "providerType" TEXT,
    "answerStatus" INTEGER,
    "reference" TEXT,
    "inferred" BOOLEAN NOT NULL DEFAULT false,
    "otherReference" TEXT,
    "status" TEXT,
    "statusReported" BOOLEAN NOT NULL DEFAULT false,
    "statusAt" DATETIME,
    "announcedStatus" TEXT,
    "callbackAt" DATETIME,
    "chargedPesewas" INTEGER,
    "balancePesewas" INTEGER,
    "waitsForId" TEXT,
    "sendAnyway" BOOLEAN NOT NULL DEFAULT false,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "notBefore" DATETIME,
    "leaseToken" TEXT,
    "leaseUntil" DATETIME,
    "sentAt" DATETIME,
    "placedAt" DATETIME,
    "answeredAt" DATETIME,
    "deliveredAt" DATETIME,
    "deliverySeconds" INTEGER,
    "reportTo" BIGINT,
    "agentName" TEXT,
    "polls" INTEGER NOT NULL DEFAULT 0,
    "nextPollAt" DATETIME,
    "settleAt" DATETIME,
    "refundAt" DATETIME,
    "refundedPesewas" INTEGER,
    "extraPesewas" INTEGER,
    "extraAt" DATETIME,
    "clockOffsetMs" INTEGER,
    "reducedAt" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "Order_purchaseId_fkey" FOREIGN KEY ("purchaseId") REFERENCES "Purchase" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "Order_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Recipient" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "orderId" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "phone" TEXT NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "status" TEXT,
    "statusAt" DATETIME,
    "reported" BOOLEAN NOT NULL DEFAULT false,
    "retryId" TEXT,
    CONSTRAINT "Recipient_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Event" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "orderId" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "phone" TEXT,
    "happenedAt" DATETIME,
    "receivedAt" DATETIME NOT NULL,
    "body" TEXT,
    "appliedAt" DATETIME,
    "verdict" TEXT
);

-- CreateTable
CREATE TABLE "Notice" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "chatId" BIGINT NOT NULL,
    "subject" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "notBefore" DATETIME,
    "quietUntil" DATETIME,
    "setAsideAt" DATETIME
);

-- CreateTable
CREATE TABLE "Duty" (
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "due" DATETIME NOT NULL,
    "causes" INTEGER NOT NULL,

    PRIMARY KEY ("kind", "key")
);

-- CreateTable
CREATE TABLE "Alarm" (
    "chatId" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "messageId" BIGINT NOT NULL,
    "since" DATETIME NOT NULL,

    PRIMARY KEY ("chatId", "name")
);

-- CreateTable
CREATE TABLE "Warning" (
    "chatId" BIGINT NOT NULL,
    "messageId" BIGINT NOT NULL,
    "purchaseId" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "mistaken" TEXT,
    "says" TEXT NOT NULL,
    "isOwed" BOOLEAN NOT NULL DEFAULT false,

    PRIMARY KEY ("chatId", "messageId")
);

-- CreateTable
CREATE TABLE "Follow" (
    "orderId" TEXT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "messageId" BIGINT,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("orderId", "chatId"),
    CONSTRAINT "Follow_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Chat" (
    "id" BIGINT NOT NULL PRIMARY KEY,
    "mutedAt" DATETIME,
    "invitedAt" DATETIME,
    "menu" TEXT,
    "blockedAt" DATETIME,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Request" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "accountId" TEXT NOT NULL,
    "at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "HalfCredential" (
    "chatId" BIGINT NOT NULL PRIMARY KEY,
    "sealedKey" TEXT NOT NULL,
    "sealedSecret" TEXT,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Session" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Invitation" (
    "tokenHash" TEXT NOT NULL PRIMARY KEY,
    "createdBy" BIGINT NOT NULL,
    "accountId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedBy" BIGINT,
    "usedAt" DATETIME,
    "revokedAt" DATETIME
);

-- CreateTable
CREATE TABLE "Fact" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "Lease" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "token" TEXT NOT NULL,
    "until" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "KeptUpdate" (
    "id" BIGINT NOT NULL PRIMARY KEY,
    "sealed" TEXT NOT NULL,
    "receivedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "SecurityEvent" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" DATETIME NOT NULL,
    "kind" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "code" TEXT NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "Account_keyHash_key" ON "Account"("keyHash");

-- CreateIndex
CREATE INDEX "Member_accountId_idx" ON "Member"("accountId");

-- CreateIndex
CREATE INDEX "Preference_summaryAt_idx" ON "Preference"("summaryAt");

-- CreateIndex
CREATE INDEX "Customer_accountId_agentId_nameKey_idx" ON "Customer"("accountId", "agentId", "nameKey");

-- CreateIndex
CREATE UNIQUE INDEX "Customer_accountId_agentId_phone_key" ON "Customer"("accountId", "agentId", "phone");

-- CreateIndex
CREATE INDEX "PortedNumber_keptAt_idx" ON "PortedNumber"("keptAt");

-- CreateIndex
CREATE INDEX "BookChange_accountId_agentId_idx" ON "BookChange"("accountId", "agentId");

-- CreateIndex
CREATE INDEX "BookChange_createdAt_idx" ON "BookChange"("createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Enquiry_cause_key" ON "Enquiry"("cause");

-- CreateIndex
CREATE INDEX "Enquiry_customerChatId_createdAt_idx" ON "Enquiry"("customerChatId", "createdAt");

-- CreateIndex
CREATE INDEX "Enquiry_orderId_idx" ON "Enquiry"("orderId");

-- CreateIndex
CREATE INDEX "Enquiry_accountId_idx" ON "Enquiry"("accountId");

-- CreateIndex
CREATE INDEX "Enquiry_answerCause_idx" ON "Enquiry"("answerCause");

-- CreateIndex
CREATE UNIQUE INDEX "Purchase_cause_key" ON "Purchase"("cause");

-- CreateIndex
CREATE INDEX "Purchase_accountId_createdAt_idx" ON "Purchase"("accountId", "createdAt");

-- CreateIndex
CREATE INDEX "Purchase_state_expiresAt_idx" ON "Purchase"("state", "expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Unanswered_cause_key" ON "Unanswered"("cause");

-- CreateIndex
CREATE INDEX "Unanswered_tryAt_idx" ON "Unanswered"("tryAt");

-- CreateIndex
CREATE INDEX "Unanswered_chatId_kind_idx" ON "Unanswered"("chatId", "kind");

-- CreateIndex
CREATE UNIQUE INDEX "Order_reference_key" ON "Order"("reference");

-- CreateIndex
CREATE INDEX "Order_history_idx" ON "Order"("accountId", "createdAt", "purchaseId", "placement", "status", "network", "userId", "kind", "reference", "id");

-- CreateIndex
CREATE INDEX "Order_accountId_network_idx" ON "Order"("accountId", "network");

-- CreateIndex
CREATE INDEX "Order_accountId_userId_createdAt_idx" ON "Order"("accountId", "userId", "createdAt");

-- CreateIndex
CREATE INDEX "Order_purchaseId_position_idx" ON "Order"("purchaseId", "position");

-- CreateIndex
CREATE INDEX "Order_afterId_idx" ON "Order"("afterId");

-- CreateIndex
CREATE INDEX "Order_placement_accountId_afterId_notBefore_createdAt_idx" ON "Order"("placement", "accountId", "afterId", "notBefore", "createdAt");

-- CreateIndex
CREATE INDEX "Order_accountId_nextPollAt_idx" ON "Order"("accountId", "nextPollAt");

-- CreateIndex
CREATE INDEX "Order_accountId_settleAt_idx" ON "Order"("accountId", "settleAt");

-- CreateIndex
CREATE INDEX "Order_accountId_refundAt_idx" ON "Order"("accountId", "refundAt");

-- CreateIndex
CREATE INDEX "Order_nextPollAt_idx" ON "Order"("nextPollAt");

-- CreateIndex
CREATE INDEX "Order_otherReference_idx" ON "Order"("otherReference");

-- CreateIndex
CREATE INDEX "Order_reducedAt_createdAt_idx" ON "Order"("reducedAt", "createdAt");

-- CreateIndex
CREATE INDEX "Recipient_orderId_status_reported_idx" ON "Recipient"("orderId", "status", "reported");

-- CreateIndex
CREATE INDEX "Recipient_accountId_phone_idx" ON "Recipient"("accountId", "phone");

-- CreateIndex
CREATE UNIQUE INDEX "Recipient_orderId_phone_key" ON "Recipient"("orderId", "phone");

-- CreateIndex
CREATE INDEX "Event_appliedAt_idx" ON "Event"("appliedAt");

-- CreateIndex
CREATE UNIQUE INDEX "Event_orderId_digest_key" ON "Event"("orderId", "digest");

-- CreateIndex
CREATE INDEX "Notice_setAsideAt_chatId_id_quietUntil_idx" ON "Notice"("setAsideAt", "chatId", "id", "quietUntil");

-- CreateIndex
CREATE INDEX "Notice_setAsideAt_id_idx" ON "Notice"("setAsideAt", "id");

-- CreateIndex
CREATE INDEX "Notice_subject_idx" ON "Notice"("subject");

-- CreateIndex
CREATE INDEX "Duty_kind_due_idx" ON "Duty"("kind", "due");

-- CreateIndex
CREATE INDEX "Warning_purchaseId_idx" ON "Warning"("purchaseId");

-- CreateIndex
CREATE INDEX "Follow_chatId_createdAt_idx" ON "Follow"("chatId", "createdAt");

-- CreateIndex
CREATE INDEX "Request_accountId_at_idx" ON "Request"("accountId", "at");

-- CreateIndex
CREATE INDEX "Request_at_idx" ON "Request"("at");

-- CreateIndex
CREATE INDEX "Invitation_accountId_idx" ON "Invitation"("accountId");

-- CreateIndex
CREATE INDEX "SecurityEvent_account_id_idx" ON "SecurityEvent"("account", "id");

-- Each cause of work writes its duty in its own transaction. A condition that only makes work later writes nothing:
-- the search finds that out.

CREATE TRIGGER "Order_queued" AFTER INSERT ON "Order"
  WHEN NEW."placement" = 'queued' AND NEW."afterId" IS NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('placing', NEW."accountId", COALESCE(NEW."notBefore", NEW."createdAt"), ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_requeued" AFTER UPDATE OF "placement", "afterId", "notBefore" ON "Order"
  WHEN NEW."placement" = 'queued' AND NEW."afterId" IS NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('placing', NEW."accountId", COALESCE(NEW."notBefore", NEW."createdAt"), ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_polled" AFTER INSERT ON "Order"
  WHEN NEW."nextPollAt" IS NOT NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('polling', NEW."accountId", NEW."nextPollAt", ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_polled_sooner" AFTER UPDATE OF "nextPollAt" ON "Order"
  WHEN NEW."nextPollAt" IS NOT NULL AND (OLD."nextPollAt" IS NULL OR NEW."nextPollAt" < OLD."nextPollAt")
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('polling', NEW."accountId", NEW."nextPollAt", ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_searched" AFTER INSERT ON "Order"
  WHEN NEW."settleAt" IS NOT NULL OR NEW."refundAt" IS NOT NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('settling', NEW."accountId", COALESCE(CASE WHEN NEW."refundAt" < NEW."settleAt" THEN NEW."refundAt" ELSE NEW."settleAt" END, NEW."refundAt"), ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_searched_sooner" AFTER UPDATE OF "settleAt", "refundAt" ON "Order"
  WHEN (NEW."settleAt" IS NOT NULL AND (OLD."settleAt" IS NULL OR NEW."settleAt" < OLD."settleAt"))
    OR (NEW."refundAt" IS NOT NULL AND (OLD."refundAt" IS NULL OR NEW."refundAt" < OLD."refundAt"))
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('settling', NEW."accountId", COALESCE(CASE WHEN NEW."refundAt" < NEW."settleAt" THEN NEW."refundAt" ELSE NEW."settleAt" END, NEW."refundAt"), ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Purchase_released" AFTER UPDATE OF "heldById" ON "Purchase"
  WHEN OLD."heldById" IS NOT NULL AND NEW."heldById" IS NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('placing', NEW."accountId", NEW."createdAt", ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Account_reachable" AFTER UPDATE OF "frozenUntil", "unauthorizedSince" ON "Account"
  WHEN (OLD."unauthorizedSince" IS NOT NULL AND NEW."unauthorizedSince" IS NULL)
    OR (OLD."frozenUntil" IS NOT NULL AND (NEW."frozenUntil" IS NULL OR NEW."frozenUntil" < OLD."frozenUntil"))
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('placing', NEW."id", '1970-01-01T00:00:00.000+00:00', ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('polling', NEW."id", '1970-01-01T00:00:00.000+00:00', ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('settling', NEW."id", '1970-01-01T00:00:00.000+00:00', ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Notice_owed" AFTER INSERT ON "Notice"
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('sending', CAST(NEW."chatId" AS TEXT), COALESCE(CASE WHEN NEW."quietUntil" > NEW."notBefore" THEN NEW."quietUntil" ELSE NEW."notBefore" END, NEW."quietUntil", NEW."createdAt"), ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Notice_changed" AFTER UPDATE OF "notBefore", "quietUntil", "setAsideAt", "chatId" ON "Notice"
  WHEN NEW."notBefore" IS NULL OR NEW."notBefore" < OLD."notBefore" OR NEW."quietUntil" IS DISTINCT FROM OLD."quietUntil"
    OR NEW."setAsideAt" IS DISTINCT FROM OLD."setAsideAt" OR NEW."chatId" <> OLD."chatId"
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('sending', CAST(NEW."chatId" AS TEXT), NEW."createdAt", ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Notice_gone" AFTER DELETE ON "Notice"
  WHEN OLD."notBefore" IS NOT NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('sending', CAST(OLD."chatId" AS TEXT), OLD."createdAt", ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Chat_unmuted" AFTER UPDATE OF "mutedAt" ON "Chat"
  WHEN OLD."mutedAt" IS NOT NULL AND NEW."mutedAt" IS NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('sending', CAST(NEW."id" AS TEXT), OLD."mutedAt", ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Chat_gone" AFTER DELETE ON "Chat"
  WHEN OLD."mutedAt" IS NOT NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('sending', CAST(OLD."id" AS TEXT), OLD."mutedAt", ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;
