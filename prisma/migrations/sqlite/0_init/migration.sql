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
    "raisedPesewas" INTEGER,
    "raisedAt" DATETIME,
    "askedAt" DATETIME,
    "askedFor" TEXT,
    "ruleKind" TEXT,
    "ruleValue" INTEGER NOT NULL DEFAULT 0,
    "roundPesewas" INTEGER NOT NULL DEFAULT 1,
    "networks" TEXT,
    "pausedAt" DATETIME,
    "resumedAt" DATETIME,
    "notifyLevel" TEXT NOT NULL DEFAULT 'problems',
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
    "agentPrices" TEXT,
    CONSTRAINT "Shop_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
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

    PRIMARY KEY ("accountId", "network", "fromMegabytes"),
    CONSTRAINT "PriceTier_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "SellingPrice" (
    "accountId" TEXT NOT NULL,
    "bundleId" INTEGER NOT NULL,
    "pricePesewas" INTEGER NOT NULL,

    PRIMARY KEY ("accountId", "bundleId"),
    CONSTRAINT "SellingPrice_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
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
    "timeZone" TEXT NOT NULL DEFAULT 'Africa/Accra',
    "tellsSlow" BOOLEAN NOT NULL DEFAULT false,
    "slowNetworks" TEXT NOT NULL DEFAULT ''
);

-- CreateTable
CREATE TABLE "Contact" (
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
CREATE TABLE "Complaint" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "orderId" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "position" INTEGER,
    "raisedBy" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "photoId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "deadlineAt" DATETIME,
    "expiresAt" DATETIME NOT NULL,
    "remindAt" DATETIME,
    "openFor" TEXT,
    "end" TEXT,
    "endedAt" DATETIME,
    CONSTRAINT "Complaint_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
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
    "isBare" BOOLEAN NOT NULL DEFAULT false,
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
    "priceSnapshot" TEXT NOT NULL,
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
CREATE TABLE "Reminder" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "userId" BIGINT NOT NULL,
    "phone" TEXT NOT NULL,
    "name" TEXT,
    "bundleId" INTEGER NOT NULL,
    "network" TEXT NOT NULL,
    "volume" TEXT NOT NULL,
    "offerSlug" TEXT,
    "weekday" INTEGER NOT NULL,
    "minutes" INTEGER NOT NULL,
    "nextAt" DATETIME,
    "createdAt" DATETIME NOT NULL
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
    "ownerChatId" BIGINT,
    "agentName" TEXT,
    "polls" INTEGER NOT NULL DEFAULT 0,
    "nextPollAt" DATETIME,
    "reconcileAt" DATETIME,
    "refundAt" DATETIME,
    "refundedPesewas" INTEGER,
    "extraPesewas" INTEGER,
    "extraAt" DATETIME,
    "clockOffsetMs" INTEGER,
    "redactedAt" DATETIME,
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
CREATE TABLE "StatusReport" (
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
    "disposition" TEXT
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
    "setAsideAt" DATETIME,
    "mutedAt" DATETIME
);

-- CreateTable
CREATE TABLE "Alert" (
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
CREATE TABLE "PendingCredential" (
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
CREATE INDEX "Contact_accountId_agentId_nameKey_idx" ON "Contact"("accountId", "agentId", "nameKey");

-- CreateIndex
CREATE UNIQUE INDEX "Contact_accountId_agentId_phone_key" ON "Contact"("accountId", "agentId", "phone");

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
CREATE UNIQUE INDEX "Complaint_openFor_key" ON "Complaint"("openFor");

-- CreateIndex
CREATE INDEX "Complaint_orderId_idx" ON "Complaint"("orderId");

-- CreateIndex
CREATE INDEX "Complaint_accountId_idx" ON "Complaint"("accountId");

-- CreateIndex
CREATE INDEX "Complaint_raisedBy_createdAt_idx" ON "Complaint"("raisedBy", "createdAt");

-- CreateIndex
CREATE INDEX "Complaint_open_idx" ON "Complaint"("id") WHERE "openFor" IS NOT NULL;

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
CREATE INDEX "Reminder_nextAt_idx" ON "Reminder"("nextAt");

-- CreateIndex
CREATE UNIQUE INDEX "Reminder_userId_phone_bundleId_weekday_minutes_key" ON "Reminder"("userId", "phone", "bundleId", "weekday", "minutes");

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
CREATE INDEX "Order_placement_notBefore_createdAt_accountId_idx" ON "Order"("placement", "notBefore", "createdAt", "accountId") WHERE "placement" = 'queued' AND "afterId" IS NULL;

-- CreateIndex
CREATE INDEX "Order_nextPollAt_accountId_idx" ON "Order"("nextPollAt", "accountId") WHERE "nextPollAt" IS NOT NULL;

-- CreateIndex
CREATE INDEX "Order_accountId_nextPollAt_idx" ON "Order"("accountId", "nextPollAt") WHERE "nextPollAt" IS NOT NULL;

-- CreateIndex
CREATE INDEX "Order_reconcileAt_accountId_idx" ON "Order"("reconcileAt", "accountId") WHERE "reconcileAt" IS NOT NULL;

-- CreateIndex
CREATE INDEX "Order_accountId_reconcileAt_idx" ON "Order"("accountId", "reconcileAt") WHERE "reconcileAt" IS NOT NULL;

-- CreateIndex
CREATE INDEX "Order_refundAt_accountId_idx" ON "Order"("refundAt", "accountId") WHERE "refundAt" IS NOT NULL;

-- CreateIndex
CREATE INDEX "Order_accountId_refundAt_idx" ON "Order"("accountId", "refundAt") WHERE "refundAt" IS NOT NULL;

-- CreateIndex
CREATE INDEX "Order_otherReference_idx" ON "Order"("otherReference");

-- CreateIndex
CREATE INDEX "Order_refused_idx" ON "Order"("placement", "reason", "createdAt", "accountId") WHERE "placement" = 'rejected' AND "reason" = 'balance';

-- CreateIndex
CREATE INDEX "Order_redactedAt_createdAt_idx" ON "Order"("redactedAt", "createdAt");

-- CreateIndex
CREATE INDEX "Recipient_orderId_status_reported_idx" ON "Recipient"("orderId", "status", "reported");

-- CreateIndex
CREATE INDEX "Recipient_accountId_phone_idx" ON "Recipient"("accountId", "phone");

-- CreateIndex
CREATE UNIQUE INDEX "Recipient_orderId_phone_key" ON "Recipient"("orderId", "phone");

-- CreateIndex
CREATE INDEX "StatusReport_appliedAt_idx" ON "StatusReport"("appliedAt");

-- CreateIndex
CREATE UNIQUE INDEX "StatusReport_orderId_digest_key" ON "StatusReport"("orderId", "digest");

-- CreateIndex
CREATE INDEX "Notice_chatId_id_idx" ON "Notice"("chatId", "id");

-- CreateIndex
CREATE INDEX "Notice_setAsideAt_id_idx" ON "Notice"("setAsideAt", "id") WHERE "setAsideAt" IS NOT NULL;

-- CreateIndex
CREATE INDEX "Notice_subject_idx" ON "Notice"("subject");

-- CreateIndex
CREATE INDEX "Notice_quietUntil_notBefore_id_chatId_idx" ON "Notice"("quietUntil", "notBefore", "id", "chatId") WHERE "setAsideAt" IS NULL AND "mutedAt" IS NULL;

-- CreateIndex
CREATE INDEX "Notice_chatId_id_quietUntil_idx" ON "Notice"("chatId", "id", "quietUntil") WHERE "setAsideAt" IS NULL AND "mutedAt" IS NULL;

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
