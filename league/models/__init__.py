"""The league's tables: records, a log, and rows that follow it."""

import league.models.events  # noqa: F401 - the log, known to Django; `league.log` alone reads and writes it
from league.models.account_events import AccountEvent, AccountFeed
from league.models.accounts import Account, MadeOnce, Token
from league.models.apps import App
from league.models.audit import ClubChange
from league.models.calls import Call
from league.models.clubs import Club, Contact, FormerAddress, Member, Player
from league.models.competitions import (
    Bye,
    ClubGame,
    Competition,
    Entry,
    EntryPlayer,
    Round,
    Stage,
    Table,
    TableSeat,
)
from league.models.details import Details, Picture
from league.models.hall import Announcement, Hall
from league.models.imports import Import
from league.models.invitations import Invitation
from league.models.jobs import Job
from league.models.kiosks import Kiosk
from league.models.log_ins import FailedLogIns, KnownPlace, LogIn, Passkey
from league.models.notices import Notice, NoticeChoices, Outgoing, PushSubscription
from league.models.ratings import GameRating, Rating, Ratings
from league.models.seat_codes import SeatCode
from league.models.service import BeaconValue, PeriodicRun, RestoreDrill, VerifiedLog, WatchedGames
from league.models.signed_log import (
    Cosignature,
    LogEpoch,
    LogHead,
    LogKey,
    LogLeaf,
    LogNode,
    LogSalt,
    PlayerRecord,
    SignedLog,
)
from league.models.standings import RoundStandings, Standings

__all__ = [
    "Account",
    "AccountEvent",
    "AccountFeed",
    "Announcement",
    "App",
    "BeaconValue",
    "Bye",
    "Call",
    "Club",
    "ClubChange",
    "ClubGame",
    "Competition",
    "Contact",
    "Cosignature",
    "Details",
    "Entry",
    "EntryPlayer",
    "FailedLogIns",
    "FormerAddress",
    "GameRating",
    "Hall",
    "Import",
    "Invitation",
    "Job",
    "Kiosk",
    "KnownPlace",
    "LogEpoch",
    "LogHead",
    "LogIn",
    "LogKey",
    "LogLeaf",
    "LogNode",
    "LogSalt",
    "MadeOnce",
    "Member",
    "Notice",
    "NoticeChoices",
    "Outgoing",
    "Passkey",
    "PeriodicRun",
    "Picture",
    "Player",
    "PlayerRecord",
    "PushSubscription",
    "Rating",
    "Ratings",
    "RestoreDrill",
    "Round",
    "RoundStandings",
    "SeatCode",
    "SignedLog",
    "Stage",
    "Standings",
    "Table",
    "TableSeat",
    "Token",
    "VerifiedLog",
    "WatchedGames",
]
