//! Distinguishes public internet addresses from all others.
//!
//! Input: an address that a name was resolved to. Output: nothing for a public address, and for any
//! other a short description of its kind. A page may redirect, and a name may resolve, to a machine
//! that only we can reach: a router's settings, a database on this machine, a cloud's metadata
//! service. So every address that is not plainly public is refused. The standard library's own test
//! (`is_global`) is not stable yet. The ranges are those of IANA's two registries of
//! special-purpose addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The kind of an address that is not public; `None` for a public one.
pub(crate) fn not_public(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => not_public_v4(address),
        IpAddr::V6(address) => not_public_v6(address),
    }
}

fn not_public_v4(address: Ipv4Addr) -> Option<&'static str> {
    let kind = match address.octets() {
        [0, ..] => "an address of this machine",
        [127, ..] => "a loopback address",
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => "a private address",
        [100, 64..=127, ..] => "a carrier-grade NAT address",
        [169, 254, ..] => "a link-local address",
        [192, 0, 0, _] | [192, 88, 99, _] => "an address reserved for protocols",
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => "an address for documentation",
        [198, 18..=19, ..] => "an address for benchmarks",
        [224..=239, ..] => "a multicast address",
        [255, 255, 255, 255] => "the broadcast address",
        [240..=255, ..] => "a reserved address",
        _ => return None,
    };
    Some(kind)
}

fn not_public_v6(address: Ipv6Addr) -> Option<&'static str> {
    // An address that embeds an IPv4 address is as public as that one.
    if let Some(inner) = embedded_v4(address) {
        return not_public_v4(inner);
    }
    let kind = match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => "an address of this machine",
        [0, 0, 0, 0, 0, 0, 0, 1] => "a loopback address",
        [0xfc00..=0xfdff, ..] => "a private address (unique local)",
        [0xfe80..=0xfebf, ..] => "a link-local address",
        [0xfec0..=0xfeff, ..] => "a private address (site-local)",
        [0xff00..=0xffff, ..] => "a multicast address",
        [0x2001, 0x0db8, ..] | [0x3fff, 0..=0x0fff, ..] => "an address for documentation",
        [0x2001, 0..=0x01ff, ..] => "an address reserved for protocols",
        [0x2000..=0x3fff, ..] => return None,
        // No other range has been allocated.
        _ => "a reserved address",
    };
    Some(kind)
}

/// The embedded IPv4 address: IPv4-mapped, NAT64 and 6to4.
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let (high, low) = match address.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low] => (high, low),
        [0x0064, 0xff9b, 0, 0, 0, 0, high, low] => (high, low),
        [0x2002, high, low, ..] => (high, low),
        _ => return None,
    };
    Some(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_pass() {
        let public = [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2a00:1450::1",
            "3fff:1000::1",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "2002:808:808::1",
        ];
        for address in public {
            assert_eq!(not_public(address.parse().unwrap()), None, "{address}");
        }
    }

    #[test]
    fn all_others_are_named() {
        let rows = [
            ("0.0.0.0", "this machine"),
            ("0.1.2.3", "this machine"),
            ("10.0.0.1", "private"),
            ("10.255.255.255", "private"),
            ("100.64.0.0", "carrier-grade NAT"),
            ("100.127.255.255", "carrier-grade NAT"),
            ("127.0.0.1", "loopback"),
            ("127.255.255.254", "loopback"),
            ("169.254.169.254", "link-local"),
            ("172.16.0.0", "private"),
            ("172.31.255.255", "private"),
            ("192.0.0.8", "protocols"),
            ("192.0.2.1", "documentation"),
            ("192.88.99.1", "protocols"),
            ("192.168.0.1", "private"),
            ("198.18.0.1", "benchmarks"),
            ("198.19.255.255", "benchmarks"),
            ("198.51.100.7", "documentation"),
            ("203.0.113.7", "documentation"),
            ("224.0.0.1", "multicast"),
            ("239.255.255.255", "multicast"),
            ("240.0.0.1", "reserved"),
            ("255.255.255.255", "broadcast"),
            ("::", "this machine"),
            ("::1", "loopback"),
            ("::2", "reserved"),
            ("::127.0.0.1", "reserved"),
            ("::ffff:127.0.0.1", "loopback"),
            ("::ffff:10.1.2.3", "private"),
            ("::ffff:0:10.1.2.3", "reserved"),
            ("64:ff9b::a00:1", "private"),
            ("64:ff9b:1::a00:1", "reserved"),
            ("100::1", "reserved"),
            ("2001::1", "protocols"),
            ("2001:1ff::1", "protocols"),
            ("2001:db8::1", "documentation"),
            ("2002:7f00:1::", "loopback"),
            ("2002:c0a8:101::1", "private"),
            ("3fff::1", "documentation"),
            ("4000::1", "reserved"),
            ("5f00::1", "reserved"),
            ("fc00::1", "private"),
            ("fd12:3456::1", "private"),
            ("fe80::1", "link-local"),
            ("febf::1", "link-local"),
            ("fec0::1", "site-local"),
            ("ff02::1", "multicast"),
        ];
        for (address, word) in rows {
            let kind = not_public(address.parse().unwrap());
            assert!(
                kind.is_some_and(|kind| kind.contains(word)),
                "{address}: {kind:?}"
            );
        }
    }
}
