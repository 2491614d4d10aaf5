# Lays out the files of a package, and packs them. Sourced by package.sh, not run.

# put MODE FILE DESTINATION: into the tree.
put() { install -D -m "$1" "$2" "$tree$3"; }

# squeezed FILE DESTINATION: compressed, without its name and time.
squeezed() {
    mkdir -p "$tree$(dirname "$2")"
    gzip -9n <"$1" >"$tree$2"
    chmod 0644 "$tree$2"
}

# What both packages bring of themselves. lay_out_common NAME CRATE ARCHITECTURE
lay_out_common() {
    local documents="/usr/share/doc/$1"
    packaging/third_party.py "$2" "$(triple "$3")" copyright >"$tree.copyright"
    put 0644 "$tree.copyright" "$documents/copyright"
    packaging/third_party.py "$2" "$(triple "$3")" sbom >"$tree.sbom"
    squeezed "$tree.sbom" "$documents/sbom.cdx.json.gz"
    squeezed CHANGELOG.md "$documents/CHANGELOG.md.gz"
    debian_changelog "$1" >"$tree.changelog"
    squeezed "$tree.changelog" "$documents/changelog.gz"
    put 0644 "packaging/debian/$1.overrides" "/usr/share/lintian/overrides/$1"
    rm "$tree.copyright" "$tree.sbom" "$tree.changelog"
}

# Debian asks for its own form; what changed stands in the other one.
debian_changelog() {
    printf '%s (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- %s  %s\n' "$1" "$version" \
        "$(sed -n 's/^Maintainer: //p' "packaging/debian/$1.control")" "$(date --utc --date="@$SOURCE_DATE_EPOCH" -R)"
}

lay_out_arbiterd() {
    put 0755 "$from/arbiterd" /usr/bin/arbiterd
    put 0644 packaging/arbiterd.service /lib/systemd/system/arbiterd.service
    put 0644 packaging/60-arbiter-boards.rules /lib/udev/rules.d/60-arbiter-boards.rules
    put 0644 packaging/90-arbiter-stick.rules /lib/udev/rules.d/90-arbiter-stick.rules
    put 0644 packaging/arbiterd-stick@.service /lib/systemd/system/arbiterd-stick@.service
    put 0644 packaging/arbiterd-stick@.timer /lib/systemd/system/arbiterd-stick@.timer
    put 0755 packaging/to-stick /usr/lib/arbiterd/to-stick
    put 0644 packaging/arbiter.sysusers /usr/lib/sysusers.d/arbiter.conf
    put 0644 packaging/60-arbiterd.rules /usr/share/polkit-1/rules.d/60-arbiterd.rules
    put 0644 packaging/arbiter.toml /etc/arbiter/arbiter.toml
    put 0644 "$words/completions/arbiterd" /usr/share/bash-completion/completions/arbiterd
    put 0644 "$words/completions/_arbiterd" /usr/share/zsh/vendor-completions/_arbiterd
    put 0644 "$words/completions/arbiterd.fish" /usr/share/fish/vendor_completions.d/arbiterd.fish
    local page
    for page in "$words"/man/arbiter*; do
        squeezed "$page" "/usr/share/man/man${page##*.}/$(basename "$page").gz"
    done
    put 0644 packaging/prometheus/arbiter.rules.yml /usr/share/arbiterd/prometheus/arbiter.rules.yml
    put 0644 packaging/prometheus/dashboard.json /usr/share/arbiterd/prometheus/dashboard.json
    for page in operations boards laws event-script wire accuracy; do
        squeezed "docs/$page.md" "/usr/share/doc/arbiterd/$page.md.gz"
    done
    lay_out_common arbiterd daemon "$1"
}

lay_out_sensor_board() {
    put 0755 "$from/sensor-board" /usr/bin/sensor-board
    sed 's|/usr/local/bin/|/usr/bin/|; s|^# Reads.*|# Reads a sensor board and serves it to an arbiter: systemctl enable --now sensor-board|' \
        firmware/linux/sensor-board.service >"$tree.unit"
    put 0644 "$tree.unit" /lib/systemd/system/sensor-board.service
    rm "$tree.unit"
    squeezed "$words/man/sensor-board.1" /usr/share/man/man1/sensor-board.1.gz
    put 0644 packaging/60-sensor-board.rules /lib/udev/rules.d/60-sensor-board.rules
    put 0644 packaging/sensor-board.sysusers /usr/lib/sysusers.d/sensor-board.conf
    local example
    for example in firmware/linux/examples/*.toml; do
        put 0644 "$example" "/usr/share/doc/sensor-board/examples/$(basename "$example")"
    done
    squeezed docs/hardware.md /usr/share/doc/sensor-board/hardware.md.gz
    lay_out_common sensor-board firmware-linux "$1"
}

# pack NAME ARCHITECTURE DIRECTORY: its Debian package and its tar.gz, of the programs in the directory.
pack() {
    local name=$1 architecture=$2 from=$3
    local whole="${name}_${version}_${architecture}"
    tree="$target/package-tree/$whole"
    rm -rf "$tree"
    mkdir -p "$tree"
    "lay_out_${name//-/_}" "$architecture"
    local stripper=strip
    [ "$architecture" = "$here" ] || stripper=aarch64-linux-gnu-strip
    "$stripper" --strip-all "$tree/usr/bin/$name"
    find "$tree" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --transform="s|^\.|$whole|" \
        --directory="$tree" . | gzip -9n >"$out/$whole.tar.gz"
    mkdir "$tree/DEBIAN"
    control "$name" "$architecture" >"$tree/DEBIAN/control"
    (cd "$tree" && find . -type f -not -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
    (cd "$tree" && find etc -type f -printf '/%p\n' 2>/dev/null || true) >"$tree/DEBIAN/conffiles"
    [ -s "$tree/DEBIAN/conffiles" ] || rm "$tree/DEBIAN/conffiles"
    local script
    for script in postinst prerm postrm; do
        [ ! -e "packaging/debian/$name.$script" ] || install -m 0755 "packaging/debian/$name.$script" "$tree/DEBIAN/$script"
    done
    logged dpkg-deb dpkg-deb --root-owner-group -Zxz --build "$tree" "$out/$whole.deb"
}

# The libraries that a program of this machine's architecture needs, as packages; they are called the same on the others.
needed() {
    (
        mkdir -p "$target/package-needed/debian"
        cd "$target/package-needed"
        printf 'Source: x\n\nPackage: x\nArchitecture: any\n' >debian/control
        dpkg-shlibdeps -O --ignore-missing-info "$native/$1" 2>/dev/null | sed -n 's/^shlibs:Depends=//p'
    )
}

# control NAME ARCHITECTURE
control() {
    sed -e "s|@VERSION@|$version|; s|@ARCHITECTURE@|$2|; s|@NEEDED@|$(needed "$1")|" \
        -e "s|@SIZE@|$(du -k -s --apparent-size --exclude=DEBIAN "$tree" | cut -f1)|" "packaging/debian/$1.control"
}
